#pragma once
// Versions of the libraries that read and write files. Any thread.

#include <map>
#include <string>

namespace headroom::formats {

/// {"gdal": "3.6.2"}.
[[nodiscard]] std::map<std::string, std::string> library_versions();

}  // namespace headroom::formats
