#include "core/formats/image_stack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::formats {

namespace {

bool are_equal(const std::optional<double>& a, const std::optional<double>& b) {
  return a == b || (a && b && std::isnan(*a) && std::isnan(*b));
}

}  // namespace

std::optional<std::string> why_not_stacked(const std::filesystem::path& first_file,
                                           const base::Image& first,
                                           const std::filesystem::path& other_file,
                                           const base::Image& other) {
  const auto differ = [&](const std::string& of_other, const std::string& of_first) {
    return fmt::format("{}: {}, {}, a channel of the same sample, has {}",
                       base::display_path(other_file), of_other, base::display_path(first_file),
                       of_first);
  };
  if (other.height != first.height || other.width != first.width) {
    return differ(fmt::format("{}x{} pixels", other.width, other.height),
                  fmt::format("{}x{}", first.width, first.height));
  }
  if (other.type != first.type) {
    return differ(fmt::format("values of {}", base::name_of(other.type)),
                  base::name_of(first.type));
  }
  if (!are_equal(other.nodata, first.nodata)) {
    const auto text = [](const base::Image& image) {
      return image.nodata ? fmt::format("nodata {}", *image.nodata) : "no nodata value";
    };
    return differ(text(other), text(first));
  }
  return std::nullopt;
}

base::Image stack_bands(const std::vector<base::Image>& images) {
  const base::Image& first = images.front();
  base::Image stack{
      .height = first.height, .width = first.width, .type = first.type, .nodata = first.nodata};
  for (const base::Image& image : images) stack.channels += image.channels;
  const auto value_bytes = static_cast<std::size_t>(base::bytes_of(stack.type));
  const auto pixels = static_cast<std::size_t>(stack.height * stack.width);
  const std::size_t stack_bytes = value_bytes * static_cast<std::size_t>(stack.channels);
  stack.pixels.resize(pixels * stack_bytes);
  std::size_t offset = 0;
  for (const base::Image& image : images) {
    const std::size_t bytes = value_bytes * static_cast<std::size_t>(image.channels);
    for (std::size_t i = 0; i < pixels; ++i) {
      std::copy_n(image.pixels.data() + i * bytes, bytes,
                  stack.pixels.data() + i * stack_bytes + offset);
    }
    offset += bytes;
  }
  return stack;
}

}  // namespace headroom::formats
