#include "core/formats/pairing.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "core/base/io_error.hpp"
#include "core/formats/channel_name.hpp"
#include "core/formats/folder_roles.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;

using ChannelFiles = std::map<ChannelMark, fs::path>;

std::set<ChannelMark> marks_of(const ChannelFiles& files) {
  std::set<ChannelMark> marks;
  for (const auto& [mark, file] : files) marks.insert(mark);
  return marks;
}

std::string text_of(const std::set<ChannelMark>& marks) {
  std::vector<std::string> texts;
  for (const ChannelMark& mark : marks) texts.push_back(mark.text);
  return fmt::format("{}", fmt::join(texts, ", "));
}

/// Four digits alone number channels only when they count from 0 or 1; else they number pictures.
bool are_channels(const std::set<ChannelMark>& marks) {
  std::int64_t expected = -1;
  for (const ChannelMark& mark : marks) {
    const bool has_word = mark.text.at(1) > '9';
    if (has_word) continue;
    if (expected < 0 && mark.number <= 1) expected = mark.number;
    if (mark.number != expected++) return false;
  }
  return !marks.empty();
}

class Pairing {
 public:
  Pairing(std::string name, const IndexedKinds& kinds) : kinds_(kinds) {
    choice_.name = std::move(name);
  }

  MaskChoice run() {
    for (const auto& [key, files] : kinds_.images.files()) {
      report_others(files, "duplicate-image", "has the name of another image");
      const auto masks = masks_of(key);
      if (masks.empty()) {
        sort_in(key, files.front());
      } else {
        note_numbering(key);
        add_pair(key, {.image = files.front()}, masks);
      }
    }
    add_channel_groups();
    std::ranges::sort(choice_.unlabelled, {},
                      [](const FilePair& pair) { return pair.image.native(); });
    for (const fs::path& mask : unused(kinds_.masks, used_masks_))
      choice_.lone_masks.push_back(mask);
    for (const fs::path& area : unused(kinds_.areas, used_areas_))
      add(base::Severity::warning, "image-missing", area, "no image belongs to this valid area");
    return std::move(choice_);
  }

 private:
  [[nodiscard]] std::vector<fs::path> masks_of(const StemKey& key) const {
    auto found = kinds_.masks.find(key, mask_suffixes());
    if (!found.empty()) return found;
    const StemKey shorter = without_suffix(key, image_suffixes());
    return shorter == key ? found : kinds_.masks.find(shorter, mask_suffixes());
  }

  /// An image without a mask of its own may be a channel.
  void sort_in(const StemKey& key, const fs::path& image) {
    const auto name = channel_of_stem(key.stem);
    if (name && !kinds_.images.files().contains({key.folder, name->base})) {
      groups_[{key.folder, name->base}].emplace(name->mark, image);
    } else {
      add_unlabelled(key, {.image = image});
    }
  }

  /// Where one of "a_0001", "a_0002", … has a mask of its own, the numbers are those of pictures.
  void note_numbering(const StemKey& key) {
    const auto name = channel_of_stem(key.stem);
    if (name) numbered_.insert({key.folder, name->base});
  }

  void add_unlabelled(const StemKey& key, FilePair pair) {
    const auto area = kinds_.areas.find(key, area_suffixes());
    if (!area.empty()) pair.valid_area = area.front();
    used_areas_.insert(area.begin(), area.end());
    choice_.unlabelled.push_back(std::move(pair));
  }

  void add_pair(const StemKey& key, FilePair pair, const std::vector<fs::path>& masks) {
    if (used_masks_.contains(masks.front())) {
      add(base::Severity::warning, "mask-shared", pair.image,
          fmt::format("its mask, '{}', is that of another image too",
                      base::display_path(masks.front())));
    }
    used_masks_.insert(masks.begin(), masks.end());
    report_others(masks, "duplicate-mask", "belongs to an image that has another mask");
    pair.mask = masks.front();
    find_area(key, pair);
    choice_.pairs.push_back(std::move(pair));
  }

  void find_area(const StemKey& key, FilePair& pair) {
    const auto area = kinds_.areas.find(key, area_suffixes());
    if (!area.empty()) {
      pair.valid_area = area.front();
      used_areas_.insert(area.begin(), area.end());
    } else if (!kinds_.areas.empty()) {
      add(base::Severity::warning, "valid-area-missing", pair.image,
          "this image has no valid-area file; all of it is used");
    }
  }

  void add_channel_groups() {
    std::set<ChannelMark> marks;
    std::int64_t samples = 0;
    for (const auto& [key, files] : groups_) {
      if (numbered_.contains(key) || masks_of(key).empty()) continue;
      marks.merge(marks_of(files));
      ++samples;
    }
    if (!are_channels(marks)) marks.clear();
    for (const auto& [key, files] : groups_) add_channel_group(key, files, marks);
    if (marks.size() < 2) return;
    add(base::Severity::info, "channels-in-files", groups_.begin()->second.begin()->second,
        fmt::format("{} samples have their {} channels in files of their own, in this order: {}",
                    samples, marks.size(), text_of(marks)));
  }

  void add_channel_group(const StemKey& key, const ChannelFiles& files,
                         const std::set<ChannelMark>& marks) {
    const auto masks = masks_of(key);
    const auto own = marks_of(files);
    const bool are_of_sample = !marks.empty() && !numbered_.contains(key) &&
                               std::ranges::includes(marks, own) &&
                               (!masks.empty() || marks.size() > 1);
    if (!are_of_sample) {
      for (const auto& [mark, file] : files)
        add_unlabelled({key.folder, key.stem + mark.text}, {.image = file});
      return;
    }
    if (own != marks) {
      used_masks_.insert(masks.begin(), masks.end());
      add(base::Severity::error, "channel-missing", files.begin()->second,
          fmt::format("{}: its sample has the channels {}, others have {}; add the missing files",
                      base::display_path(files.begin()->second), text_of(own), text_of(marks)));
      return;
    }
    FilePair pair{.image = files.begin()->second};
    for (auto file = std::next(files.begin()); file != files.end(); ++file)
      pair.more_images.push_back(file->second);
    if (masks.empty()) {
      add_unlabelled(key, std::move(pair));
    } else {
      add_pair(key, std::move(pair), masks);
    }
  }

  void report_others(const std::vector<fs::path>& files, const char* code, const char* what) {
    for (std::size_t i = 1; i < files.size(); ++i) {
      add(base::Severity::warning, code, files[i],
          fmt::format("this file {}, '{}', and is not used", what, base::display_path(files[0])));
    }
  }

  static std::vector<fs::path> unused(const StemIndex& index, const std::set<fs::path>& used) {
    std::vector<fs::path> result;
    for (const auto& [key, files] : index.files()) {
      for (const fs::path& file : files) {
        if (!used.contains(file)) result.push_back(file);
      }
    }
    return result;
  }

  void add(base::Severity severity, const char* code, const fs::path& file, std::string message) {
    choice_.findings.push_back({severity, code, base::display_path(file), std::move(message)});
  }

  const IndexedKinds& kinds_;
  MaskChoice choice_;
  std::map<StemKey, ChannelFiles> groups_;  ///< of images without a mask of their own
  std::set<StemKey> numbered_;              ///< what is left of names that number pictures
  std::set<fs::path> used_masks_, used_areas_;
};

}  // namespace

MaskChoice pair_files(std::string name, const IndexedKinds& kinds) {
  return Pairing(std::move(name), kinds).run();
}

}  // namespace headroom::formats
