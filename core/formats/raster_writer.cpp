#include "core/formats/raster_writer.hpp"

#include <cpl_conv.h>
#include <cpl_string.h>
#include <cpl_vsi.h>
#include <fmt/format.h>
#include <gdal_priv.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/gdal_palette.hpp"

namespace headroom::formats {

namespace {

/// Colours that stay apart on dark and bright ground; the first is for background.
constexpr std::array<std::uint32_t, 12> kColours = {0x000000, 0xE6553A, 0x3A8FE6, 0xF2B632,
                                                    0x3DB36B, 0x9B59D0, 0x2CC4C9, 0xE0569B,
                                                    0x8C6A4A, 0xB7D335, 0x6273D9, 0xF08A4B};
/// Of a full turn, so that following hues lie far apart.
constexpr double kGoldenShare = 0.618033988749895;

std::uint32_t colour_of_hue(double turn, double value) {
  const auto channel = [&](double offset) {
    const double position = std::fmod(turn + offset, 1.0) * 6;
    const double full = std::clamp(std::abs(position - 3) - 1, 0.0, 1.0);
    return static_cast<std::uint32_t>(255 * value * (0.35 + 0.65 * full));
  };
  return channel(0) << 16 | channel(2.0 / 3) << 8 | channel(1.0 / 3);
}

std::uint32_t listed_colour(std::size_t id) {
  if (id < kColours.size()) return kColours[id];
  const auto further = static_cast<double>(id - kColours.size() + 1);
  return colour_of_hue(std::fmod(further * kGoldenShare, 1.0), id % 2 == 0 ? 0.95 : 0.7);
}

[[noreturn]] void fail_internal(const std::string& problem) {
  throw base::Error(base::ErrorKind::internal, {"writing an image", problem, "report this"});
}

/// A data set of GDAL over pixels of ours, which must outlive it. [h, w, c] of bytes.
GDALDatasetUniquePtr wrap_bytes(const std::byte* pixels, std::int64_t height, std::int64_t width,
                                std::int64_t channels) {
  prepare_gdal();
  GDALDriver* memory = GetGDALDriverManager()->GetDriverByName("MEM");
  GDALDatasetUniquePtr dataset(
      memory->Create("", static_cast<int>(width), static_cast<int>(height), 0, GDT_Byte, nullptr));
  for (std::int64_t channel = 0; dataset && channel < channels; ++channel) {
    std::array<char, 32> address{};
    CPLPrintPointer(address.data(), const_cast<std::byte*>(pixels + channel),
                    static_cast<int>(address.size()) - 1);
    CPLStringList options;
    options.SetNameValue("DATAPOINTER", address.data());
    options.SetNameValue("PIXELOFFSET", fmt::format("{}", channels).c_str());
    options.SetNameValue("LINEOFFSET", fmt::format("{}", channels * width).c_str());
    if (dataset->AddBand(GDT_Byte, options.List()) != CE_None) dataset.reset();
  }
  if (!dataset) fail_internal("GDAL could not take the pixels");
  return dataset;
}

/// A file in memory; its name holds this object's address, so that no two that live at once share
/// it.
class MemoryFile {
 public:
  MemoryFile() : name_(fmt::format("/vsimem/headroom_{}", fmt::ptr(this))) {}
  ~MemoryFile() { VSIUnlink(name_.c_str()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] const char* name() const { return name_.c_str(); }
  [[nodiscard]] std::span<const std::byte> bytes() const {
    vsi_l_offset size = 0;
    const GByte* begin = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
    return {reinterpret_cast<const std::byte*>(begin), static_cast<std::size_t>(size)};
  }

 private:
  const std::string name_;
};

/// Fills `encoded`; `subject` is what a message names.
void encode_in_memory(const MemoryFile& encoded, const std::string& subject, const char* driver,
                      GDALDataset& source, const CPLStringList& options) {
  const GdalMessages messages;
  GDALDriver* writer = GetGDALDriverManager()->GetDriverByName(driver);
  GDALDatasetUniquePtr written(writer->CreateCopy(
      encoded.name(), &source, FALSE, const_cast<char**>(options.List()), nullptr, nullptr));
  const bool is_written = written != nullptr;
  written.reset();  // flushes
  if (!is_written || messages.failed()) {
    throw base::Error(base::ErrorKind::io, {"writing the image", subject,
                                            "check that there is enough memory", messages.text()});
  }
}

/// Encodes in memory and writes the bytes, so that disk errors are ours to report and nothing
/// half-written stays.
void encode(const std::filesystem::path& file, const char* driver, GDALDataset& source,
            const CPLStringList& options) {
  const MemoryFile encoded;
  encode_in_memory(encoded, base::display_path(file), driver, source, options);
  base::write_file_atomically(file, encoded.bytes());
}

/// Error (internal) where `image` is not u8 of 1 or 3 channels.
GDALDatasetUniquePtr wrap_picture(const base::Image& image) {
  const bool is_supported = image.type == base::PixelType::u8 &&
                            (image.channels == 1 || image.channels == 3) &&
                            image.byte_size() == image.height * image.width * image.channels;
  if (!is_supported) fail_internal("only 8-bit images of one or three channels are pictures");
  return wrap_bytes(image.pixels.data(), image.height, image.width, image.channels);
}

GDALDatasetUniquePtr wrap_labels(const base::LabelImage& labels,
                                 std::span<const std::uint32_t> colours) {
  if (static_cast<std::int64_t>(labels.labels.size()) != labels.height * labels.width) {
    fail_internal("labels and their size differ");
  }
  auto dataset = wrap_bytes(reinterpret_cast<const std::byte*>(labels.labels.data()), labels.height,
                            labels.width, 1);
  set_palette(*dataset, colours);
  return dataset;
}

}  // namespace

std::vector<std::uint32_t> class_colours(const base::ClassMapping& mapping) {
  std::vector<std::uint32_t> colours;
  for (std::size_t id = 0; id < mapping.class_names.size(); ++id)
    colours.push_back(listed_colour(id));
  for (const auto& [key, id] : mapping.ids) {
    if (key.is_colour && id < colours.size()) colours[id] = static_cast<std::uint32_t>(key.value);
  }
  return colours;
}

void write_label_png(const std::filesystem::path& file, const base::LabelImage& labels,
                     std::span<const std::uint32_t> colours) {
  const auto dataset = wrap_labels(labels, colours);
  CPLStringList options;
  options.SetNameValue("ZLEVEL", "6");
  encode(file, "PNG", *dataset, options);
}

void write_png(const std::filesystem::path& file, const base::Image& image) {
  const auto dataset = wrap_picture(image);
  CPLStringList options;
  options.SetNameValue("ZLEVEL", "1");
  encode(file, "PNG", *dataset, options);
}

std::string jpeg_of(const base::Image& image) {
  const auto dataset = wrap_picture(image);
  CPLStringList options;
  options.SetNameValue("QUALITY", "85");
  const MemoryFile encoded;
  encode_in_memory(encoded, "a picture", "JPEG", *dataset, options);
  const std::span<const std::byte> bytes = encoded.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace headroom::formats
