// Cityscapes: leftImg8bit/SIDE/CITY/NAME_leftImg8bit.png and gtFine/SIDE/CITY/NAME_gtFine_labelIds
// .png, with colours and objects of the same labels beside them.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_tree.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

constexpr const char* kImages = "leftImg8bit";
constexpr std::int64_t kLastId = 33;

/// The classes that the benchmark evaluates, in the order of their training ids, with the ids of
/// _labelIds files (Cordts et al. 2016; cityscapesScripts, labels.py).
struct EvaluatedClass {
  std::int64_t id;
  const char* name;
};
constexpr std::array<EvaluatedClass, 19> kClasses = {{{7, "road"},
                                                      {8, "sidewalk"},
                                                      {11, "building"},
                                                      {12, "wall"},
                                                      {13, "fence"},
                                                      {17, "pole"},
                                                      {19, "traffic light"},
                                                      {20, "traffic sign"},
                                                      {21, "vegetation"},
                                                      {22, "terrain"},
                                                      {23, "sky"},
                                                      {24, "person"},
                                                      {25, "rider"},
                                                      {26, "car"},
                                                      {27, "truck"},
                                                      {28, "bus"},
                                                      {31, "train"},
                                                      {32, "motorcycle"},
                                                      {33, "bicycle"}}};

enum class LabelKind { ids, train_ids };

MaskMeaning meaning_of(LabelKind kind) {
  MaskMeaning meaning{.source = "the 19 classes that Cityscapes evaluates", .ignored = {255}};
  for (std::size_t train_id = 0; train_id < kClasses.size(); ++train_id) {
    const bool by_id = kind == LabelKind::ids;
    meaning.names.emplace(by_id ? kClasses[train_id].id : static_cast<std::int64_t>(train_id),
                          kClasses[train_id].name);
  }
  for (std::int64_t id = 0; kind == LabelKind::ids && id <= kLastId; ++id) {
    if (!meaning.names.contains(id)) meaning.ignored.insert(id);
  }
  return meaning;
}

/// Those whose stems end with `ending`, indexed without it.
StemIndex index_ending(const std::vector<FileBelow>& files, std::string_view ending) {
  StemIndex index;
  for (const FileBelow& each : files) {
    const std::string stem = stem_of(each.below);
    if (!stem.ends_with(ending)) continue;
    const std::string name = stem.substr(0, stem.size() - ending.size());
    index.add(each.below.parent_path() / (name + each.below.extension().string()), each.file);
  }
  return index;
}

/// The test side has masks of void alone.
std::vector<FileBelow> without_test_side(std::vector<FileBelow> files) {
  std::erase_if(files, [](const FileBelow& each) { return *each.below.begin() == "test"; });
  return files;
}

class Cityscapes {
 public:
  Cityscapes(const DataFolder& data, fs::path folder, std::string labels)
      : data_(data), folder_(std::move(folder)), labels_(std::move(labels)) {}

  /// False where the folder has no label files of this form.
  bool add_to(Layout& layout) const {
    const auto all = files_below(data_.listing, folder_ / labels_);
    const auto files = without_test_side(all);
    LabelKind kind = LabelKind::ids;
    StemIndex masks = index_ending(files, "_" + labels_ + "_labelIds");
    if (masks.empty()) {
      kind = LabelKind::train_ids;
      masks = index_ending(files, "_" + labels_ + "_labelTrainIds");
    }
    if (masks.empty()) return false;
    note_others(all.size() - masks.files().size(), layout);
    const auto images = files_below(data_.listing, folder_ / kImages);
    PairingGroup group{.folder = folder_};
    group.choices.push_back(pair_files(
        labels_, {index_ending(without_test_side(images), "_leftImg8bit"), std::move(masks), {}}));
    layout.groups.push_back(std::move(group));
    layout.meaning = meaning_of(kind);
    leave_test_side(images, layout);
    return true;
  }

 private:
  void note_others(std::size_t count, Layout& layout) const {
    if (count == 0) return;
    layout.findings.push_back(
        {base::Severity::info, "other-files", base::display_path(folder_ / labels_),
         fmt::format(
             "{} files with the same labels in other forms, or of the test side, are not used",
             count)});
  }

  void leave_test_side(const std::vector<FileBelow>& images, Layout& layout) const {
    std::vector<fs::path> test;
    for (const FileBelow& each : images) {
      if (*each.below.begin() == "test") test.push_back(each.file);
    }
    if (!test.empty()) leave_unlabelled(layout, folder_ / kImages / "test", test);
  }

  const DataFolder& data_;
  const fs::path folder_;
  const std::string labels_;  ///< gtFine or gtCoarse
};

}  // namespace

std::optional<Layout> recognise_cityscapes(const DataFolder& folder, Asked /*asked*/) {
  Layout layout{.name = "cityscapes"};
  std::vector<fs::path> used;
  for (const fs::path& images : folders_named(folder.listing, kImages)) {
    for (const char* labels : {"gtFine", "gtCoarse"}) {
      if (!Cityscapes(folder, images.parent_path(), labels).add_to(layout)) continue;
      used.insert(used.end(), {images, images.parent_path() / labels});
      break;  // coarse labels are of the same images
    }
  }
  if (!has_pair(layout)) return std::nullopt;
  note_other_folders(layout, folder.listing, used);
  return layout;
}

}  // namespace headroom::formats
