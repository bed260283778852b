#include "core/formats/npy_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/io_error.hpp"
#include "core/formats/npy_header.hpp"
#include "core/formats/read_error.hpp"
#include "core/formats/stored_values.hpp"

namespace headroom::formats {

namespace {

struct NpyType {
  std::string_view descr;  ///< NumPy's name
  StoredType type;
};

constexpr std::array<NpyType, 11> kTypes = {{{"|b1", StoredType::u8},
                                             {"|u1", StoredType::u8},
                                             {"|i1", StoredType::i8},
                                             {"<u2", StoredType::u16},
                                             {"<i2", StoredType::i16},
                                             {"<u4", StoredType::u32},
                                             {"<i4", StoredType::i32},
                                             {"<u8", StoredType::u64},
                                             {"<i8", StoredType::i64},
                                             {"<f4", StoredType::f32},
                                             {"<f8", StoredType::f64}}};

/// Values from one to the next, by axis.
struct Axis {
  std::int64_t size = 1;
  std::int64_t stride = 0;
};

struct NpyAxes {
  Axis page{}, row{}, column{}, channel{};
};

/// Strides of an array without gaps.
std::vector<Axis> axes_of(const NpyHeader& header) {
  std::vector<Axis> axes(header.shape.size());
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::size_t at = header.is_fortran_order ? i : axes.size() - 1 - i;
    axes[at] = {.size = header.shape[at], .stride = stride};
    stride *= header.shape[at];
  }
  return axes;
}

std::optional<NpyAxes> assign_axes(const std::vector<Axis>& axes) {
  if (axes.size() == 2) return NpyAxes{.row = axes[0], .column = axes[1]};
  if (axes.size() != 3) return std::nullopt;
  if (axes[2].size <= kMostNpyChannels)
    return NpyAxes{.row = axes[0], .column = axes[1], .channel = axes[2]};
  if (axes[0].size <= kMostNpyChannels)
    return NpyAxes{.row = axes[1], .column = axes[2], .channel = axes[0]};
  return NpyAxes{.page = axes[0], .row = axes[1], .column = axes[2]};
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  return fmt::format("({})", fmt::join(shape, ", "));
}

class NpyFile final : public RasterFile {
 public:
  explicit NpyFile(std::filesystem::path path)
      : RasterFile(std::move(path)), stream_(file(), std::ios::binary) {
    const NpyHeader header = read_header();
    const auto* type = std::ranges::find(kTypes, header.descr, &NpyType::descr);
    if (type == kTypes.end()) {
      fail_reading(file(),
                   fmt::format("its values are of the type '{}'", base::display_text(header.descr)),
                   "save it as little-endian integers, booleans, float32 or float64");
    }
    type_ = type->type;
    require_shape(header);
  }

 private:
  NpyHeader read_header() {
    std::array<unsigned char, 12> start{};
    stream_.read(reinterpret_cast<char*>(start.data()), 10);
    const bool is_version_1 = start[6] == 1;
    if (!is_version_1) stream_.read(reinterpret_cast<char*>(start.data() + 10), 2);
    if (!stream_ || start[6] < 1 || start[6] > 3) fail_damaged(file());
    std::size_t length = start[8] | std::size_t{start[9]} << 8;
    if (!is_version_1) length |= std::size_t{start[10]} << 16 | std::size_t{start[11]} << 24;
    constexpr std::size_t kLongestHeader = 1 << 16;
    if (length > kLongestHeader) fail_damaged(file(), "the header is too long");
    std::string text(length, '\0');
    stream_.read(text.data(), static_cast<std::streamsize>(length));
    if (!stream_) fail_damaged(file());
    const auto header = parse_npy_header(text);
    if (!header) {
      fail_reading(file(), "its header describes no plain array",
                   "save an array of numbers with two or three axes");
    }
    values_begin_ = stream_.tellg();
    return *header;
  }

  void require_shape(const NpyHeader& header) {
    constexpr std::int64_t kLongestAxis = std::numeric_limits<std::int32_t>::max();
    double bytes = static_cast<double>(bytes_of(type_));
    for (const std::int64_t size : header.shape) bytes *= static_cast<double>(size);
    const bool has_sane_sizes = std::ranges::all_of(
        header.shape, [](std::int64_t size) { return size >= 1 && size <= kLongestAxis; });
    std::optional<NpyAxes> axes;
    if (has_sane_sizes && bytes < std::ldexp(1.0, 60)) axes = assign_axes(axes_of(header));
    if (!axes) {
      fail_reading(file(), fmt::format("its array has the shape {}", shape_text(header.shape)),
                   "save images as arrays of two axes, or three of them with up to 16 channels");
    }
    axes_ = *axes;
    const auto file_bytes = static_cast<double>(std::filesystem::file_size(file()));
    if (file_bytes < static_cast<double>(values_begin_) + bytes)
      fail_damaged(file(), "the file is shorter than its header says");
  }

  [[nodiscard]] std::int64_t do_pages() const override { return axes_.page.size; }

  [[nodiscard]] RasterInfo do_info(std::int64_t /*page*/) override {
    RasterInfo info;
    info.height = axes_.row.size;
    info.width = axes_.column.size;
    info.channels = axes_.channel.size;
    info.type = held_type(type_, range_of(type_), {});
    // In column order a row is spread over the whole array.
    if (axes_.column.stride < axes_.row.stride) info.block = {1, axes_.column.size};
    info.format = "NPY";
    return info;
  }

  void do_read(std::int64_t page, const PixelWindow& window, base::Image& image) override {
    // In the order of the file, so that no block is loaded twice.
    const bool is_planar = axes_.channel.stride > axes_.row.stride;
    const std::int64_t outer = is_planar ? image.channels : window.height;
    const std::int64_t inner = is_planar ? window.height : image.channels;
    for (std::int64_t i = 0; i < outer; ++i) {
      for (std::int64_t j = 0; j < inner; ++j) {
        read_row(page, window, {.row = is_planar ? j : i, .channel = is_planar ? i : j}, image);
      }
    }
  }

  /// Row of a window, and channel.
  struct RowPlace {
    std::int64_t row = 0, channel = 0;
  };

  void read_row(std::int64_t page, const PixelWindow& window, const RowPlace& place,
                base::Image& image) {
    const std::int64_t first =
        page * axes_.page.stride + (window.top + place.row) * axes_.row.stride +
        window.left * axes_.column.stride + place.channel * axes_.channel.stride;
    load(first, (window.width - 1) * axes_.column.stride + 1);
    const StoredValues from = {loaded_.data() + (first - loaded_first_) * bytes_of(type_), type_,
                               axes_.column.stride};
    const std::int64_t value = place.row * window.width * image.channels + place.channel;
    const HeldValues to = {image.pixels.data() + value * base::bytes_of(image.type), image.type,
                           image.channels};
    if (!convert_values(from, {}, window.width, to)) {
      fail_reading(file(), "a value has more than 32 bits",
                   "save it with values of up to 32 bits, or as float64");
    }
  }

  /// Makes values [first, first + count) available, in blocks that serve several rows. In column
  /// order a row is spread over the whole array, which is then kept.
  void load(std::int64_t first, std::int64_t count) {
    const std::int64_t value_bytes = bytes_of(type_);
    const std::int64_t loaded = static_cast<std::int64_t>(loaded_.size()) / value_bytes;
    if (first >= loaded_first_ && first + count <= loaded_first_ + loaded) return;
    constexpr std::int64_t kBlockBytes = std::int64_t{1} << 22;
    const std::int64_t all =
        axes_.page.size * axes_.row.size * axes_.column.size * axes_.channel.size;
    const bool is_column_order = axes_.column.stride > axes_.row.stride;
    const std::int64_t block =
        is_column_order ? all : std::min(all, std::max(count, kBlockBytes / value_bytes));
    loaded_first_ = std::min(first, all - block);
    loaded_.resize(static_cast<std::size_t>(require_memory(file(), 1, block, value_bytes)));
    stream_.clear();
    stream_.seekg(values_begin_ + loaded_first_ * value_bytes);
    stream_.read(loaded_.data(), static_cast<std::streamsize>(loaded_.size()));
    if (!stream_) fail_damaged(file());
  }

  std::ifstream stream_;
  StoredType type_ = StoredType::u8;
  NpyAxes axes_{};
  std::streamoff values_begin_ = 0;
  std::vector<char> loaded_{};
  std::int64_t loaded_first_ = 0;
};

}  // namespace

std::unique_ptr<RasterFile> open_npy(const std::filesystem::path& file) {
  return std::make_unique<NpyFile>(file);
}

}  // namespace headroom::formats
