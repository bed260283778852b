// Raster files for tests, written with GDAL itself and not with the code under test.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::tests {

struct RasterSpec {
  std::int64_t height = 1;
  std::int64_t width = 1;
  std::int64_t channels = 1;
  std::vector<double> values{};  ///< [h, w, c]
  std::string type = "Byte";     ///< GDAL's name
  std::string driver = "PNG";
  std::vector<std::uint32_t> palette{};  ///< 0xRRGGBB
  bool last_is_alpha = false;
  std::optional<double> nodata{};
  std::string crs{};                   ///< "EPSG:32633"
  std::vector<double> geotransform{};  ///< six values
  std::string metadata_name{}, metadata_value{};
  std::vector<std::string> options{};  ///< creation options, "COMPRESS=LZW"
};

/// Throws std::runtime_error when GDAL refuses.
void write_raster(const std::filesystem::path& file, const RasterSpec& spec);

/// An 8-bit grey picture of one value.
void write_grey(const std::filesystem::path& file, std::int64_t height, std::int64_t width,
                double value);
/// 8-bit grey with these values, row by row.
void write_grey(const std::filesystem::path& file, std::int64_t height, std::int64_t width,
                const std::vector<double>& values);

/// Keeps the first `bytes` of a file.
void truncate_file(const std::filesystem::path& file, std::int64_t bytes);

void write_text(const std::filesystem::path& file, const std::string& text);

/// Creates the file's folder.
std::filesystem::path in_folder(const std::filesystem::path& file);

/// The real images: $HEADROOM_TEST_DATA, else shared/data beside the repository; nothing where it
/// is absent.
std::optional<std::filesystem::path> real_data(const std::string& name);

/// Declares `variable`, the path of that real data, or ends the test as skipped. In the namespace
/// headroom.
#define GET_REAL_DATA_OR_SKIP(variable, name)   \
  const auto variable = tests::real_data(name); \
  if (!variable) GTEST_SKIP() << "no " << name << " in $HEADROOM_TEST_DATA or shared/data"

}  // namespace headroom::tests
