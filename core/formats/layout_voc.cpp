// PASCAL VOC: JPEGImages and SegmentationClass beside each other, most images without a mask, the
// sides of the split in ImageSets/Segmentation.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/folder_pairs.hpp"
#include "core/formats/folder_tree.hpp"
#include "core/formats/layout_recogniser.hpp"
#include "core/formats/name_list.hpp"
#include "core/formats/pairing.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

/// ImageSets/Segmentation: stems by side.
struct Lists {
  std::vector<std::string> train{}, validation{}, both{};
  bool exist = false;
};

Lists read_lists(const fs::path& folder) {
  Lists lists;
  const auto take = [&](const char* name, std::vector<std::string>& list) {
    auto names = read_name_list(folder / name);
    lists.exist = lists.exist || names.has_value();
    list = std::move(names).value_or(std::vector<std::string>{});
  };
  take("train.txt", lists.train);
  take("val.txt", lists.validation);
  take("trainval.txt", lists.both);
  return lists;
}

/// The class of a value is the line of that number. labelme's lists begin with "__ignore__", which
/// stands for -1.
std::optional<MaskMeaning> read_class_names(const fs::path& root, const fs::path& folder) {
  for (const char* file : {"class_names.txt", "labels.txt"}) {
    const auto names = read_name_list(root / folder / file);
    if (!names) continue;
    MaskMeaning meaning{.source = base::display_path(folder / file)};
    std::int64_t value = 0;
    for (const std::string& name : *names) {
      if (name != "__ignore__") meaning.names.emplace(value++, base::display_text(name));
    }
    if (meaning.names.size() > 1) return meaning;
  }
  return std::nullopt;
}

/// One folder of the form, such as VOC2012.
class VocFolder {
 public:
  VocFolder(const DataFolder& data, fs::path folder, Layout& layout)
      : data_(data), folder_(std::move(folder)), layout_(layout) {
    for (const FileBelow& image : files_below(data.listing, folder_ / "JPEGImages"))
      image_of_.emplace(stem_of(image.below), image);
  }

  void add() {
    const fs::path source = folder_ / "ImageSets" / "Segmentation";
    const Lists lists = read_lists(data_.root / source);
    const auto masks = files_below(data_.listing, folder_ / "SegmentationClass");
    PairingGroup group{.folder = folder_};
    group.choices.push_back(pair_files(
        "SegmentationClass", {index_of(images_to_pair(lists, masks)), index_of(masks), {}}));
    layout_.groups.push_back(std::move(group));
    if (!layout_.meaning) layout_.meaning = read_class_names(data_.root, folder_);
    if (lists.train.empty() || lists.validation.empty()) return;
    if (!layout_.listed) layout_.listed.emplace();
    add_side(lists.train, source / "train.txt", layout_.listed->train);
    add_side(lists.validation, source / "val.txt", layout_.listed->validation);
  }

 private:
  /// With lists, images that are neither listed nor have a mask belong to other tasks.
  std::vector<FileBelow> images_to_pair(const Lists& lists, const std::vector<FileBelow>& masks) {
    std::set<std::string> wanted;
    for (const auto* list : {&lists.train, &lists.validation, &lists.both})
      wanted.insert(list->begin(), list->end());
    for (const FileBelow& mask : masks) wanted.insert(stem_of(mask.below));
    std::vector<FileBelow> images;
    std::vector<fs::path> others;
    for (const FileBelow& image : files_below(data_.listing, folder_ / "JPEGImages")) {
      if (lists.exist && !wanted.contains(stem_of(image.below))) {
        others.push_back(image.file);
      } else {
        images.push_back(image);
      }
    }
    if (!others.empty()) leave_unlabelled(layout_, folder_ / "JPEGImages", others);
    return images;
  }

  void add_side(const std::vector<std::string>& stems, const fs::path& list,
                std::vector<fs::path>& side) {
    for (const std::string& stem : stems) {
      const auto image = image_of_.find(stem);
      if (image != image_of_.end()) {
        side.push_back(image->second.file);
        continue;
      }
      layout_.findings.push_back({base::Severity::warning, "listed-image-missing",
                                  base::display_path(list),
                                  fmt::format("it names '{}', and JPEGImages has no such image",
                                              base::display_text(stem))});
    }
  }

  const DataFolder& data_;
  const fs::path folder_;
  Layout& layout_;
  std::map<std::string, FileBelow> image_of_;  ///< by stem
};

}  // namespace

std::optional<Layout> recognise_voc(const DataFolder& folder, Asked /*asked*/) {
  Layout layout{.name = "voc"};
  std::vector<fs::path> used;
  const auto images = folders_named(folder.listing, "JPEGImages");
  for (const fs::path& masks : folders_named(folder.listing, "SegmentationClass")) {
    const fs::path parent = masks.parent_path();
    if (std::ranges::find(images, parent / "JPEGImages") == images.end()) continue;
    VocFolder(folder, parent, layout).add();
    used.insert(used.end(), {masks, parent / "JPEGImages"});
  }
  if (!has_pair(layout)) return std::nullopt;
  note_other_folders(layout, folder.listing, used);
  return layout;
}

}  // namespace headroom::formats
