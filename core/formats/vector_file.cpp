#include "core/formats/vector_file.hpp"

#include <fmt/format.h>

#include <array>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/io_error.hpp"
#include "core/formats/gdal_library.hpp"
#include "core/formats/gdal_messages.hpp"
#include "core/formats/read_error.hpp"

namespace headroom::formats {

GDALDatasetUniquePtr open_vector_file(const std::filesystem::path& file, const char* driver) {
  prepare_gdal();
  require_readable(file);
  const auto fail = [&](const std::string& problem, const std::string& detail) {
    throw base::Error(
        base::ErrorKind::unusable_data,
        {"reading the annotations", fmt::format("{}: {}", base::display_path(file), problem),
         "replace it with an intact file; one without objects still needs its frame, "
         "as an empty FeatureCollection or a header row",
         detail});
  };
  std::error_code ignored;
  if (std::filesystem::file_size(file, ignored) == 0) fail("it is empty (0 bytes)", {});
  const GdalMessages messages;
  const std::array<const char*, 2> drivers = {driver, nullptr};
  // An absolute path cannot be taken for one of GDAL's connection strings.
  GDALDatasetUniquePtr dataset(GDALDataset::Open(
      std::filesystem::absolute(file).c_str(),
      GDAL_OF_VECTOR | GDAL_OF_READONLY | GDAL_OF_VERBOSE_ERROR, drivers.data(), nullptr, nullptr));
  if (!dataset || messages.failed())
    fail(fmt::format("it is no {} file, or it is damaged", driver), messages.text());
  return dataset;
}

}  // namespace headroom::formats
