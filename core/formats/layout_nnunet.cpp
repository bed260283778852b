// nnU-Net and the Medical Segmentation Decathlon: imagesTr, labelsTr and dataset.json, a sample's
// channels in files CASE_0000, CASE_0001, … or in one file CASE.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_roles.hpp"
#include "core/formats/folder_tree.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/nnunet_description.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

class NnunetFolder {
 public:
  NnunetFolder(const DataFolder& data, fs::path folder, Layout& layout)
      : data_(data), folder_(std::move(folder)), layout_(layout) {}

  void add() {
    read_description();
    PairingGroup group{.folder = folder_};
    MaskChoice choice = pair_files(
        "labelsTr", {index_of(with_ending("imagesTr")), index_of(with_ending("labelsTr")), {}});
    compare_channels(choice);
    group.choices.push_back(std::move(choice));
    layout_.groups.push_back(std::move(group));
    layout_.meaning = std::move(description_.labels);
    leave_test_images();
  }

 private:
  void read_description() {
    const fs::path file = folder_ / "dataset.json";
    std::error_code failure;
    if (!fs::is_regular_file(data_.root / file, failure)) {
      note(base::Severity::warning, "description-missing", file,
           "there is no such file; channels and classes are taken from the images and masks");
      return;
    }
    try {
      description_ =
          parse_nnunet_description(base::read_file(data_.root / file), base::display_path(file));
      if (!description_.labels) {
        note(base::Severity::warning, "description-without-classes", file,
             "its labels are missing or regions of several values; classes are taken from the "
             "masks");
      }
    } catch (const base::Error& error) {
      note(base::Severity::warning, "description-unreadable", file,
           fmt::format("{}; {}; it is not used", error.parts().subject, error.parts().remedy));
    }
  }

  [[nodiscard]] std::vector<FileBelow> with_ending(const char* folder) {
    auto files = files_below(data_.listing, folder_ / folder);
    const std::string ending = lower_case(description_.file_ending);
    std::erase_if(files, [&](const FileBelow& each) {
      if (lower_case(each.file.filename().string()).ends_with(ending)) return false;
      note(base::Severity::warning, "stray-file", each.file,
           fmt::format("dataset.json says that files end with '{}'; this one is not used",
                       description_.file_ending));
      return true;
    });
    return files;
  }

  /// A file of several bands is one sample, whatever the number of channels.
  void compare_channels(const MaskChoice& choice) {
    const auto named = description_.channels.size();
    if (named == 0 || choice.pairs.empty()) return;
    const FilePair& first = choice.pairs.front();
    const auto in_files = first.more_images.size() + 1;
    if (in_files == 1 || in_files == named) return;
    note(
        base::Severity::error, "channels-unlike-description", first.image,
        fmt::format("{}: its sample has {} channel files, dataset.json names {} channels ({}); add "
                    "the missing files or correct dataset.json",
                    base::display_path(first.image), in_files, named,
                    fmt::join(description_.channels, ", ")));
  }

  void leave_test_images() {
    std::vector<fs::path> files;
    for (const FileBelow& each : files_below(data_.listing, folder_ / "imagesTs"))
      files.push_back(each.file);
    if (!files.empty()) leave_unlabelled(layout_, folder_ / "imagesTs", files);
  }

  void note(base::Severity severity, const char* code, const fs::path& file, std::string message) {
    layout_.findings.push_back({severity, code, base::display_path(file), std::move(message)});
  }

  const DataFolder& data_;
  const fs::path folder_;
  Layout& layout_;
  NnunetDescription description_;
};

[[noreturn]] void fail_for_several(const fs::path& root, const std::vector<fs::path>& folders) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"scanning the data folder",
                     fmt::format("'{}' holds several nnU-Net data sets, '{}' and '{}' among them",
                                 base::display_path(root), base::display_path(folders[0]),
                                 base::display_path(folders[1])),
                     "name the folder of one of them"});
}

}  // namespace

std::optional<Layout> recognise_nnunet(const DataFolder& folder, Asked /*asked*/) {
  const auto labels = folders_named(folder.listing, "labelsTr");
  std::vector<fs::path> folders;
  for (const fs::path& images : folders_named(folder.listing, "imagesTr")) {
    const fs::path parent = images.parent_path();
    if (std::ranges::find(labels, parent / "labelsTr") != labels.end()) folders.push_back(parent);
  }
  if (folders.empty()) return std::nullopt;
  if (folders.size() > 1) fail_for_several(folder.root, folders);
  Layout layout{.name = "nnunet"};
  NnunetFolder(folder, folders.front(), layout).add();
  const fs::path& parent = folders.front();
  note_other_folders(layout, folder.listing,
                     {parent / "imagesTr", parent / "labelsTr", parent / "imagesTs"});
  return layout;
}

}  // namespace headroom::formats
