#pragma once
// Hashes of file contents and texts (XXH3, 128 bits): quick fingerprints, no protection against
// forgery. Any thread.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::formats {

struct FileDigest {
  std::string name{};  ///< path relative to the data folder
  std::int64_t size_bytes = 0;
  std::string hash{};  ///< 32 hexadecimal digits
};

/// Reads the whole file. Throws Error (io).
[[nodiscard]] FileDigest digest_file(const std::filesystem::path& file, std::string name);

/// 32 hexadecimal digits.
[[nodiscard]] std::string digest_text(std::string_view text);

/// One hash over names, sizes and contents of files, in their order.
[[nodiscard]] std::string combine_digests(const std::vector<FileDigest>& files);

}  // namespace headroom::formats
