#include "core/formats/dicom_file.hpp"

#include <fmt/format.h>
#include <gdcmImage.h>
#include <gdcmImageChangePlanarConfiguration.h>
#include <gdcmImageReader.h>
#include <gdcmMediaStorage.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/formats/dicom_header.hpp"
#include "core/formats/gdcm_library.hpp"
#include "core/formats/read_error.hpp"
#include "core/formats/stored_values.hpp"

namespace headroom::formats {

namespace {

using gdcm::PhotometricInterpretation;
using gdcm::PixelFormat;

/// One bit per pixel is unpacked to uint8.
std::optional<StoredType> stored_type_of(const PixelFormat& format) {
  switch (format.GetScalarType()) {
    case PixelFormat::SINGLEBIT:
    case PixelFormat::UINT8:
      return StoredType::u8;
    case PixelFormat::INT8:
      return StoredType::i8;
    case PixelFormat::UINT16:
      return StoredType::u16;
    case PixelFormat::INT16:
      return StoredType::i16;
    case PixelFormat::UINT32:
      return StoredType::u32;
    case PixelFormat::INT32:
      return StoredType::i32;
    case PixelFormat::UINT64:
      return StoredType::u64;
    case PixelFormat::INT64:
      return StoredType::i64;
    case PixelFormat::FLOAT32:
      return StoredType::f32;
    case PixelFormat::FLOAT64:
      return StoredType::f64;
    default:
      return std::nullopt;
  }
}

bool is_ycbcr(PhotometricInterpretation::PIType type) {
  return type == PhotometricInterpretation::YBR_FULL ||
         type == PhotometricInterpretation::YBR_FULL_422 ||
         type == PhotometricInterpretation::YBR_PARTIAL_422 ||
         type == PhotometricInterpretation::YBR_PARTIAL_420;
}

/// GDCM stops the program at a dose grid that does not say how many frames it has.
void require_frame_number_of_dose(const std::filesystem::path& file) {
  const gdcm::Tag storage(0x0008, 0x0016), frames(0x0028, 0x0008);
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  if (!reader.ReadSelectedTags(std::set<gdcm::Tag>{storage, frames})) return;
  gdcm::MediaStorage media;
  if (!media.SetFromFile(reader.GetFile()) || media != gdcm::MediaStorage::RTDoseStorage) return;
  if (reader.GetFile().GetDataSet().FindDataElement(frames)) return;
  fail_reading(file, "it is a dose grid without a number of frames",
               "set NumberOfFrames (0028,0008), 1 for a single frame");
}

/// What GDCM 3.0 decodes to wrong values without a word; found by comparing with pydicom.
void require_decodable(const std::filesystem::path& file, const gdcm::Image& image) {
  const gdcm::TransferSyntax& syntax = image.GetTransferSyntax();
  const int bits = image.GetPixelFormat().GetBitsAllocated();
  const PhotometricInterpretation colours = image.GetPhotometricInterpretation();
  const char* remedy = "save it uncompressed, as Explicit VR Little Endian";
  if (syntax == gdcm::TransferSyntax::RLELossless && bits > 8 &&
      image.GetPixelFormat().GetSamplesPerPixel() > 1)
    fail_reading(file, "it holds run-length encoded colours of over 8 bits", remedy);
  if (syntax == gdcm::TransferSyntax::ExplicitVRBigEndian && bits > 16)
    fail_reading(file, "it holds big-endian values of over 16 bits", remedy);
  const bool is_full =
      colours == PhotometricInterpretation::YBR_FULL ||
      (colours == PhotometricInterpretation::YBR_FULL_422 && syntax.IsEncapsulated());
  if (is_ycbcr(colours) && (!is_full || bits != 8))
    fail_reading(file, fmt::format("its colours are {}", colours.GetString()), "save it as RGB");
}

/// YBR_FULL to RGB in place, both [pixels, 3] (DICOM, part 3, C.7.6.3.1.2).
void convert_to_rgb(std::vector<char>& values) {
  const auto rounded = [](double value) {
    return static_cast<char>(static_cast<unsigned char>(std::clamp(std::round(value), 0., 255.)));
  };
  for (std::size_t at = 0; at + 2 < values.size(); at += 3) {
    const double y = static_cast<unsigned char>(values[at]);
    const double blue = static_cast<unsigned char>(values[at + 1]) - 128.;
    const double red = static_cast<unsigned char>(values[at + 2]) - 128.;
    values[at] = rounded(y + 1.402 * red);
    values[at + 1] = rounded(y - 0.344136 * blue - 0.714136 * red);
    values[at + 2] = rounded(y + 1.772 * blue);
  }
}

/// 0xRRGGBB by index; entries of 16 bits are cut to their upper 8.
std::vector<std::uint32_t> palette_of(const gdcm::LookupTable& table) {
  std::array<std::vector<unsigned char>, 3> entries;
  for (const auto colour :
       {gdcm::LookupTable::RED, gdcm::LookupTable::GREEN, gdcm::LookupTable::BLUE}) {
    auto& bytes = entries.at(static_cast<std::size_t>(colour));
    constexpr std::size_t kMostBytes = 2 * 65536;
    bytes.resize(kMostBytes);
    unsigned length = 0;
    table.GetLUT(colour, bytes.data(), length);
    bytes.resize(length);
  }
  const std::size_t bytes_per_entry = table.GetBitSample() > 8 ? 2 : 1;
  const std::size_t count =
      std::min({entries[0].size(), entries[1].size(), entries[2].size()}) / bytes_per_entry;
  std::vector<std::uint32_t> palette(count);
  for (std::size_t i = 0; i < count; ++i) {
    for (const auto& bytes : entries)
      palette[i] = palette[i] << 8 | bytes[(i + 1) * bytes_per_entry - 1];
  }
  return palette;
}

/// Of one bit each, the lowest bit of a byte first.
std::vector<char> unpacked_bits(std::string_view packed, std::size_t pixels) {
  std::vector<char> values(pixels);
  for (std::size_t i = 0; i < pixels && i / 8 < packed.size(); ++i)
    values[i] = static_cast<char>(static_cast<unsigned char>(packed[i / 8]) >> (i % 8) & 1);
  return values;
}

class DicomFile final : public RasterFile {
 public:
  explicit DicomFile(std::filesystem::path path) : RasterFile(std::move(path)) {
    require_frame_number_of_dose(file());
    gdcm::ImageReader reader;
    reader.SetFileName(file().c_str());
    if (!reader.Read()) {
      fail_reading(file(), "it is no DICOM file with an image, or it is damaged",
                   "remove it, or replace it with an intact copy");
    }
    image_ = &reader.GetImage();
    const auto type = stored_type_of(image_->GetPixelFormat());
    if (!type) {
      fail_reading(file(),
                   fmt::format("its pixels are of the type {}",
                               image_->GetPixelFormat().GetScalarTypeAsString()),
                   "convert it to 8, 16 or 32 bits per value");
    }
    type_ = *type;
    require_decodable(file(), *image_);
    require_all_values();
    interleave_bands();
    range_ = {static_cast<double>(image_->GetPixelFormat().GetMin()),
              static_cast<double>(image_->GetPixelFormat().GetMax())};
    read_scalings();
    if (image_->GetPhotometricInterpretation() == PhotometricInterpretation::MONOCHROME1)
      mirror_values();
  }

 private:
  [[nodiscard]] std::int64_t dimension(unsigned index) const {
    return index < image_->GetNumberOfDimensions()
               ? static_cast<std::int64_t>(image_->GetDimension(index))
               : 1;
  }

  [[nodiscard]] std::int64_t channels() const {
    return image_->GetPixelFormat().GetSamplesPerPixel();
  }

  [[nodiscard]] std::int64_t pixels() const { return dimension(2) * dimension(1) * dimension(0); }

  /// Bits follow each other without a break between rows and frames (DICOM, part 5, 8.1.1); GDCM
  /// counts on whole bytes for each row.
  [[nodiscard]] bool is_packed() const {
    return image_->GetPixelFormat() == PixelFormat::SINGLEBIT &&
           !image_->GetTransferSyntax().IsEncapsulated();
  }

  /// GDCM fills up what uncompressed pixels lack.
  void require_all_values() const {
    if (image_->GetTransferSyntax().IsEncapsulated()) return;
    const gdcm::ByteValue* stored = image_->GetDataElement().GetByteValue();
    const auto needed = is_packed() ? static_cast<std::size_t>((pixels() + 7) / 8)
                                    : static_cast<std::size_t>(image_->GetBufferLength());
    if (stored == nullptr || stored->GetLength() < needed)
      fail_damaged(file(), "fewer values than its header says");
  }

  void interleave_bands() {
    if (channels() == 1 || image_->GetPlanarConfiguration() == 0) return;
    gdcm::ImageChangePlanarConfiguration change;
    change.SetPlanarConfiguration(0);
    change.SetInput(*image_);
    if (!change.Change()) fail_damaged(file());
    image_ = new gdcm::Image(change.GetOutput());
  }

  /// Frames may each have a scale of their own (DICOM, part 3, C.7.6.16.2.9).
  void read_scalings() {
    const ValueScaling whole = {image_->GetSlope(), image_->GetIntercept()};
    scalings_.assign(static_cast<std::size_t>(dimension(2)), whole);
    if (scalings_.size() == 1) return;
    const auto header = read_dicom_header(file());
    if (!header || header->frames.size() <= 1) return;
    if (header->frames.size() != scalings_.size()) {
      fail_reading(
          file(),
          fmt::format("it has {} frames and describes {}", scalings_.size(), header->frames.size()),
          "replace it with an intact copy");
    }
    for (std::size_t frame = 0; frame < scalings_.size(); ++frame)
      scalings_[frame] = header->frames[frame].scaling.value_or(whole);
  }

  /// In the range of the bits that are used: stored -> lowest + highest - stored.
  void mirror_values() {
    for (ValueScaling& scaling : scalings_) {
      scaling.intercept += scaling.slope * (range_.lowest + range_.highest);
      scaling.slope = -scaling.slope;
    }
  }

  /// One type for all frames: of real numbers where their scales need different ones.
  [[nodiscard]] base::PixelType type_of_values() const {
    const base::PixelType first = held_type(type_, range_, scalings_.front());
    const auto is_other = [&](const ValueScaling& scaling) {
      return held_type(type_, range_, scaling) != first;
    };
    if (std::ranges::none_of(scalings_, is_other)) return first;
    return bytes_of(type_) <= 2 || type_ == StoredType::f32 ? base::PixelType::f32
                                                            : base::PixelType::f64;
  }

  [[nodiscard]] std::int64_t do_pages() const override { return dimension(2); }

  [[nodiscard]] RasterInfo do_info(std::int64_t /*page*/) override {
    RasterInfo info;
    info.width = dimension(0);
    info.height = dimension(1);
    info.channels = channels();
    info.type = type_of_values();
    if (image_->GetPhotometricInterpretation() == PhotometricInterpretation::PALETTE_COLOR) {
      info.palette = palette_of(image_->GetLUT());
      info.kind = info.palette.empty() ? RasterKind::bands : RasterKind::palette;
    }
    info.format = "DICOM";
    return info;
  }

  void do_read(std::int64_t page, const PixelWindow& window, base::Image& image) override {
    decode();
    const std::int64_t stored_bytes = bytes_of(type_), held_bytes = base::bytes_of(image.type);
    const std::int64_t row_values = window.width * image.channels;
    for (std::int64_t y = 0; y < window.height; ++y) {
      const std::int64_t first =
          ((page * dimension(1) + window.top + y) * dimension(0) + window.left) * image.channels;
      const HeldValues to = {image.pixels.data() + y * row_values * held_bytes, image.type};
      if (!convert_values({values_.data() + first * stored_bytes, type_},
                          scalings_[static_cast<std::size_t>(page)], row_values, to))
        fail_damaged(file(), "a value has more bits than the header says");
    }
  }

  /// Decodes all frames: GDCM offers no window of compressed ones.
  void decode() {
    if (!values_.empty()) return;
    const auto bytes = static_cast<std::size_t>(require_memory(
        file(), dimension(2) * dimension(1), dimension(0), channels() * bytes_of(type_)));
    std::vector<char> values = stored_values(bytes);
    if (values.size() < bytes) fail_damaged(file(), "fewer values than its header says");
    if (is_ycbcr(image_->GetPhotometricInterpretation())) convert_to_rgb(values);
    const auto count = static_cast<std::int64_t>(bytes) / bytes_of(type_);
    if (!are_within({values.data(), type_}, count, range_)) {
      fail_reading(file(), "its values have other bits or another sign than its header says",
                   "save it again with a header that fits");
    }
    values_ = std::move(values);
  }

  [[nodiscard]] std::vector<char> stored_values(std::size_t bytes) {
    if (is_packed()) {
      const gdcm::ByteValue& packed = *image_->GetDataElement().GetByteValue();
      return unpacked_bits({packed.GetPointer(), packed.GetLength()}, bytes);
    }
    std::vector<char> buffer(std::max<std::size_t>(image_->GetBufferLength(), 1));
    if (!image_->GetBuffer(buffer.data())) fail_damaged(file());
    const bool is_bits = image_->GetPixelFormat() == PixelFormat::SINGLEBIT;
    return is_bits ? unpacked_bits({buffer.data(), buffer.size()}, bytes) : std::move(buffer);
  }

  gdcm::SmartPointer<gdcm::Image> image_;
  StoredType type_ = StoredType::u8;
  std::vector<ValueScaling> scalings_{};  ///< by frame
  ValueRange range_{};
  std::vector<char> values_{};  ///< [frames, h, w, c] as stored, once decoded
};

}  // namespace

std::unique_ptr<RasterFile> open_dicom(const std::filesystem::path& file) {
  prepare_gdcm();
  return std::make_unique<DicomFile>(file);
}

}  // namespace headroom::formats
