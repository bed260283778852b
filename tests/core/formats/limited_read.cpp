#include "tests/core/formats/limited_read.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <typeinfo>

#include "core/base/error.hpp"
#include "core/data/pixel_dispatch.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/raster_reader.hpp"

namespace headroom::tests {

namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kLimitsAddressSpace = false;  // the sanitizer reserves terabytes
#else
constexpr bool kLimitsAddressSpace = true;
#endif

std::uint32_t crc_of(const base::Image& image) {
  return data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const T* value = data::values_of<T>(image);
    const std::int64_t row_values = image.width * image.channels;
    std::vector<double> row(static_cast<std::size_t>(row_values));
    uLong crc = 0;
    for (std::int64_t y = 0; y < image.height; ++y, value += row_values) {
      std::copy_n(value, row_values, row.begin());
      crc = crc32_z(crc, reinterpret_cast<const Bytef*>(row.data()), row.size() * sizeof(double));
    }
    return static_cast<std::uint32_t>(crc);
  });
}

double mean_of(const base::Image& image) {
  return data::dispatch_pixel_type(image.type, [&]<typename T>(std::type_identity<T>) {
    const T* value = data::values_of<T>(image);
    double sum = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = image.height * image.width * image.channels; i > 0; --i, ++value) {
      const auto number = static_cast<double>(*value);
      if (!std::isfinite(number)) continue;
      sum += number;
      ++finite;
    }
    return finite > 0 ? sum / static_cast<double>(finite) : 0;
  });
}

void apply(const ReadLimits& limits) {
  if (kLimitsAddressSpace) {
    const auto bytes = static_cast<rlim_t>(limits.address_space_bytes);
    const rlimit memory{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &memory);
  }
  const rlimit no_core{0, 0};
  ::setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGALRM, SIG_DFL);
  ::alarm(limits.seconds);
}

nlohmann::json outcome_of(const std::filesystem::path& file) {
  try {
    const base::Image image = formats::read_raster(file).image;
    return {{"height", image.height},     {"width", image.width},
            {"channels", image.channels}, {"type", base::name_of(image.type)},
            {"crc", crc_of(image)},       {"mean", mean_of(image)}};
  } catch (const base::Error& error) {
    const bool is_refusal = error.kind() == base::ErrorKind::unusable_data;
    return {{is_refusal ? "refused" : "failed", std::string(error.what())}};
  } catch (const std::exception& error) {
    return {{"failed", fmt::format("{}: {}", typeid(error).name(), error.what())}};
  }
}

[[noreturn]] void run_child(const std::filesystem::path& file, const ReadLimits& limits, int out) {
  apply(limits);
  const std::string text =
      outcome_of(file).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = ::write(out, text.data() + written, text.size() - written);
    if (count <= 0) break;
    written += static_cast<std::size_t>(count);
  }
  ::_exit(0);
}

std::string read_to_end(int in) {
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t count = ::read(in, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return text;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
}

LimitedRead parse(const std::string& text) {
  const nlohmann::json outcome = nlohmann::json::parse(text);
  if (outcome.contains("refused"))
    return {.verdict = ReadVerdict::refused, .message = outcome.at("refused")};
  if (outcome.contains("failed"))
    return {.verdict = ReadVerdict::crashed, .message = outcome.at("failed")};
  return {.verdict = ReadVerdict::read,
          .facts = {.height = outcome.at("height"),
                    .width = outcome.at("width"),
                    .channels = outcome.at("channels"),
                    .type = outcome.at("type"),
                    .crc = outcome.at("crc"),
                    .mean = outcome.at("mean")}};
}

}  // namespace

const char* name_of(ReadVerdict verdict) {
  switch (verdict) {
    case ReadVerdict::read:
      return "read";
    case ReadVerdict::refused:
      return "refused";
    case ReadVerdict::crashed:
      return "crashed";
    case ReadVerdict::hung:
      return "hung";
  }
  return "";
}

LimitedRead read_within_limits(const std::filesystem::path& file, const ReadLimits& limits) {
  // Here and not in each child: registering the drivers takes longer than most files.
  formats::prepare_gdal();
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::close(ends[0]);
    run_child(file, limits, ends[1]);
  }
  ::close(ends[1]);
  const std::string text = read_to_end(ends[0]);
  ::close(ends[0]);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return {.verdict = signal == SIGALRM ? ReadVerdict::hung : ReadVerdict::crashed,
            .message = ::strsignal(signal)};
  }
  if (text.empty())
    return {.verdict = ReadVerdict::crashed,
            .message = fmt::format("exit code {}", WEXITSTATUS(status))};
  return parse(text);
}

std::vector<std::filesystem::path> files_below(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

std::string text_of(const ReadFacts& facts) {
  return fmt::format("{}x{}, {} bands, {}, CRC {:08x}, mean {:.6g}", facts.width, facts.height,
                     facts.channels, facts.type, facts.crc, facts.mean);
}

}  // namespace headroom::tests
