#pragma once
// A mask as codes: grey values, palette indices, colours or names of annotations, before any
// mapping. Used by the mask reader and the scan. Any thread.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/image.hpp"
#include "core/base/pixel_window.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::formats {

enum class MaskCoding {
  value,    ///< codes are whole numbers
  palette,  ///< codes are indices into the palette
  colour,   ///< codes are 0xRRGGBB, and not all of them are grey
  name,     ///< codes are indices into the names of annotations
};

/// By code. Shared, as all samples of annotations have the same.
using CodeNames = std::shared_ptr<const std::vector<std::string>>;

/// The code of a NaN, or of an area that annotations ignore: no value, to be ignored.
inline constexpr std::int64_t kMissingCode = std::numeric_limits<std::int64_t>::min();

/// How an area that annotations ignore stands in pixels of the coding `name`.
inline constexpr std::uint16_t kIgnoredName = 0xFFFF;

struct MaskPixels {
  std::filesystem::path file{};
  MaskCoding coding = MaskCoding::value;
  std::vector<std::uint32_t> palette{};  ///< 0xRRGGBB by index
  CodeNames names{};                     ///< of the coding `name`
  base::Image image{};                   ///< 1 channel; for colours 3, u8; for names u16
  base::PixelWindow window{};            ///< what of the page the image is
};

/// The step from one grey to the next among colours.
inline constexpr std::int64_t kGreyStep = 0x010101;

/// RGB whose channels are equal in every pixel is read as values; an alpha band is left out. Throws
/// Error (unusable_data) for files that cannot be read, have two or more than three bands, colours
/// of more than 8 bits, or fractions.
[[nodiscard]] MaskPixels read_mask_pixels(const std::filesystem::path& file, std::int64_t page = 0);
/// The same for what was read of a page. Whether colours are grey is decided in the window alone: a
/// mapping gives a grey value and the same grey as a colour one label.
[[nodiscard]] MaskPixels mask_pixels_of(const std::filesystem::path& file, RasterPixels raster,
                                        const base::PixelWindow& window);

/// Called with a code, the pixel (row-major index in the window) at which a run of it begins, and
/// the run's length; the runs cover the mask.
using RunVisitor = std::function<void(std::int64_t code, std::int64_t first, std::int64_t count)>;
void visit_runs(const MaskPixels& mask, const RunVisitor& visit);

/// What the codes of one file mean under a mapping.
class CodeLabels {
 public:
  CodeLabels(const base::ClassMapping& mapping, MaskCoding coding,
             const std::vector<std::uint32_t>& palette, CodeNames names = {});

  /// The class id or base::kIgnoreLabel; nothing where the mapping does not say.
  [[nodiscard]] std::optional<std::uint8_t> label_of(std::int64_t code) const;
  /// The code as a mapping would name it.
  [[nodiscard]] base::MaskKey key_of(std::int64_t code) const;

 private:
  const base::ClassMapping& mapping_;
  MaskCoding coding_;
  const std::vector<std::uint32_t>& palette_;
  CodeNames names_;
  bool by_colour_;
};

/// The error for a code that the mapping lacks, at pixel `index` of the window.
[[noreturn]] void throw_not_in_mapping(const MaskPixels& mask, const base::MaskKey& key,
                                       std::int64_t index);

}  // namespace headroom::formats
