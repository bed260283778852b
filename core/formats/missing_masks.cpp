#include "core/formats/missing_masks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "core/base/image.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/folder_roles.hpp"

namespace headroom::formats {

namespace {

namespace fs = std::filesystem;
using base::MissingMasks;

class Settlement {
 public:
  explicit Settlement(MissingMasks answer) : answer_(answer) {}

  SettledFiles run(const Layout& layout) {
    for (const PairingGroup& group : layout.groups) take(group.choices.front());
    count_images();
    count_masks();
    std::ranges::sort(files_.pairs, {}, [](const FilePair& pair) { return pair.image.native(); });
    return std::move(files_);
  }

 private:
  void take(const MaskChoice& choice) {
    auto& findings = files_.findings;
    findings.insert(findings.end(), choice.findings.begin(), choice.findings.end());
    files_.pairs.insert(files_.pairs.end(), choice.pairs.begin(), choice.pairs.end());
    labelled_ += choice.pairs.size();
    for (const FilePair& image : choice.unlabelled) take_unlabelled(image);
    for (const fs::path& mask : choice.lone_masks) {
      ++lone_masks_;
      report("image-missing", mask, "no image belongs to this mask");
    }
  }

  void take_unlabelled(const FilePair& image) {
    ++unlabelled_;
    if (answer_ == MissingMasks::background) {
      files_.pairs.push_back(image);
      report("mask-missing", image.image, "this image has no mask and is taken as background");
      return;
    }
    report("mask-missing", image.image,
           answer_ == MissingMasks::skip ? "this image has no mask and is not used"
                                         : "no mask belongs to this image");
    files_.unlabelled.push_back(image.image);
    files_.unlabelled.insert(files_.unlabelled.end(), image.more_images.begin(),
                             image.more_images.end());
  }

  /// An error stands alone when a training is refused, and so names its file and the remedy.
  void report(const char* code, const fs::path& file, std::string message) {
    const bool is_error = answer_ == MissingMasks::error;
    if (is_error) {
      message = fmt::format("{}: {}; add it, or give --missing-masks skip or background",
                            base::display_path(file), message);
    }
    files_.findings.push_back({is_error ? base::Severity::error : base::Severity::warning, code,
                               base::display_path(file), std::move(message)});
  }

  void count_images() {
    if (unlabelled_ == 0) return;
    const std::string what =
        fmt::format("{} of {} images {} no mask", unlabelled_, labelled_ + unlabelled_,
                    unlabelled_ == 1 ? "has" : "have");
    switch (answer_) {
      case MissingMasks::skip:
        count("images-without-mask",
              what +
                  " and are not used; give --missing-masks background if they show none of the "
                  "classes, error to refuse them");
        break;
      case MissingMasks::background:
        count("images-without-mask", what + " and are taken as background");
        break;
      case MissingMasks::error:
        count("images-without-mask", what);
        break;
    }
  }

  void count_masks() {
    if (lone_masks_ == 0) return;
    count("masks-without-image",
          fmt::format("{} of {} masks {} no image", lone_masks_, labelled_ + lone_masks_,
                      lone_masks_ == 1 ? "has" : "have"));
  }

  void count(const char* code, std::string message) {
    files_.findings.push_back({base::Severity::info, code, {}, std::move(message)});
  }

  const MissingMasks answer_;
  SettledFiles files_;
  std::size_t labelled_ = 0, unlabelled_ = 0, lone_masks_ = 0;
};

}  // namespace

SettledFiles settle_missing_masks(const Layout& layout, MissingMasks answer) {
  return Settlement(answer).run(layout);
}

std::optional<std::uint8_t> background_of(const base::ClassMapping& mapping) {
  for (std::size_t id = 0; id < mapping.class_names.size(); ++id) {
    const auto words = words_of(mapping.class_names[id]);
    if (words.size() == 1 && words.front() == "background") return static_cast<std::uint8_t>(id);
  }
  for (const base::MaskKey& key : {base::MaskKey{false, 0}, base::MaskKey{true, 0}}) {
    const auto found = mapping.ids.find(key);
    if (found != mapping.ids.end() && found->second != base::kIgnoreLabel) return found->second;
  }
  return std::nullopt;
}

}  // namespace headroom::formats
