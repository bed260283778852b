#pragma once
// Hashes of file contents (XXH3, 128 bits): quick fingerprints of data sets, no protection against
// forgery. Any thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::formats {

struct FileDigest {
  std::string name{};  ///< path relative to the data folder
  std::int64_t size_bytes = 0;
  std::string hash{};  ///< 32 hexadecimal digits
};

/// Reads the whole file. Throws Error (io).
[[nodiscard]] FileDigest digest_file(const std::filesystem::path& file, std::string name);

/// One hash over names, sizes and contents of files, in their order.
[[nodiscard]] std::string combine_digests(const std::vector<FileDigest>& files);

}  // namespace headroom::formats
