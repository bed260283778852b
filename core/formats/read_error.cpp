#include "core/formats/read_error.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "core/base/byte_size.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/base/machine_memory.hpp"

namespace headroom::formats {

namespace {

/// Images below this size are read without asking how much memory there is.
constexpr std::int64_t kSurelyFits = std::int64_t{1} << 28;
/// Sizes above this come from damaged headers only.
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

}  // namespace

void fail_reading(const std::filesystem::path& file, const std::string& problem, std::string remedy,
                  std::string detail) {
  throw base::Error(base::ErrorKind::unusable_data,
                    {"reading the image", fmt::format("{}: {}", base::display_path(file), problem),
                     std::move(remedy), std::move(detail)});
}

void fail_damaged(const std::filesystem::path& file, std::string detail) {
  fail_reading(file, "it is truncated or damaged",
               "replace the file with an intact copy, or remove it", std::move(detail));
}

void require_readable(const std::filesystem::path& file) {
  if (::access(file.c_str(), R_OK) != 0) throw base::io_error("reading the image", file, errno);
}

std::int64_t require_memory(const std::filesystem::path& file, std::int64_t height,
                            std::int64_t width, std::int64_t pixel_bytes) {
  const double bytes =
      static_cast<double>(height) * static_cast<double>(width) * static_cast<double>(pixel_bytes);
  const bool is_countable = bytes < static_cast<double>(kMostBytes);
  const std::int64_t decoded_bytes = is_countable ? height * width * pixel_bytes : kMostBytes;
  if (decoded_bytes < kSurelyFits) return decoded_bytes;
  const std::int64_t available = base::read_machine_memory().available_bytes;
  if (decoded_bytes <= available) return decoded_bytes;
  fail_reading(file,
               fmt::format("decoded it takes {}{}, and {} of memory are available",
                           is_countable ? "" : "over ", base::format_bytes(decoded_bytes),
                           base::format_bytes(available)),
               "cut it into smaller images, or check whether the file is damaged");
}

}  // namespace headroom::formats
