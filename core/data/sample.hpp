#pragma once
// Samples as lists of files, and how one is read. Readers are implemented by core/formats; nothing
// here knows a format.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"

namespace headroom::data {

/// The sides of a split; none: no side is known.
enum class SplitSide { none, train, validation, test };

/// A window of an image that is a sample of its own; its size is the sample's.
struct ImagePart {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t image_height = 0;  ///< of the whole image
  std::int64_t image_width = 0;
};

/// One image with its mask, or a part of them. Sizes are known from the scan, so that tiles are
/// drawn without opening the file.
struct Sample {
  std::string id{};  ///< the image's path relative to the data folder, as base::display_path shows
                     ///< it, with "#3" behind for a file's third page; unique
  std::filesystem::path image{};
  std::vector<std::filesystem::path> more_images{};  ///< their bands follow those of `image`
  std::filesystem::path mask{};  ///< a raster, or the annotation document that `label_key` is of;
                                 ///< empty: every pixel is background
  std::string label_key{};       ///< which entry of the annotations; empty where a raster is
  std::int64_t page = 0;         ///< of image and mask, in files of several pages
  std::int64_t volume = -1;      ///< the data set's volume that the page is a slice of; -1: none
  std::optional<std::filesystem::path>
      valid_area{};  ///< pixels that are 0 here are ignored (field of view)
  std::int64_t height = 0;
  std::int64_t width = 0;
  std::int64_t pixel_bytes = 0;      ///< of one decoded pixel: all its bands and its label
  base::BlockSize block{};           ///< parts are read best in such blocks; {0, 0}: it can only be
                                     ///< decoded whole
  std::optional<ImagePart> part{};   ///< absent: the sample is the whole image
  SplitSide side = SplitSide::none;  ///< where the data's own folders put it
  std::string patient{};             ///< DICOM's PatientID; empty when unknown
  std::string series{};              ///< DICOM's SeriesInstanceUID; empty when unknown
};

/// An image with its labels, or a window of it.
struct DecodedSample {
  base::Image image{};
  base::LabelImage labels{};

  [[nodiscard]] std::int64_t byte_size() const {
    return image.byte_size() + static_cast<std::int64_t>(labels.labels.size());
  }
};

/// Reads samples; implementations are safe to call from several loader threads at once.
class SampleReader {
 public:
  virtual ~SampleReader() = default;
  /// Throws base::Error (unusable_data) naming the file when it cannot be read, is truncated, has
  /// another size than the scan saw, or holds a value outside the mapping.
  [[nodiscard]] DecodedSample read(const Sample& sample) const { return do_read(sample); }
  /// What read() has inside `window`, which lies in the image; of a sample with blocks not more is
  /// decoded than those that the window touches.
  [[nodiscard]] DecodedSample read(const Sample& sample, const base::PixelWindow& window) const {
    return do_read_window(sample, window);
  }

 private:
  [[nodiscard]] virtual DecodedSample do_read(const Sample& sample) const = 0;
  /// Cuts the window out of the whole where a reader knows no better.
  [[nodiscard]] virtual DecodedSample do_read_window(const Sample& sample,
                                                     const base::PixelWindow& window) const;
};

/// Samples by side of the split; indices into the scan's list.
struct Split {
  std::vector<std::int64_t> train{};
  std::vector<std::int64_t> validation{};
};

/// value -> (value - shift[c]) * scale[c]; found on the training side, stored with run and model.
struct Normalisation {
  std::string mode = "none";
  std::vector<double> shift{};
  std::vector<double> scale{};
  bool clipped = false;  ///< to [0, 1], after scaling
};

}  // namespace headroom::data
