// Checks of how the sources fit together: who may include whom, and who may use which library. They
// read text, so that they hold for code that this machine does not compile too. Any thread may call
// them.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::tests {

/// One `#include` line: its number from 1, the path in it, and whether it stands in quotes.
struct Include {
  int line = 0;
  std::string path;
  bool quoted = false;
};

/// The includes of a source, outside of comments.
[[nodiscard]] std::vector<Include> includes_of(std::string_view source_text);

/// The layer that a file belongs to, such as "core/plan"; empty for a file outside all layers.
/// @param file relative to the repository, with forward slashes.
[[nodiscard]] std::string_view layer_of(std::string_view file);

/// What in this source breaks the table of layers, or uses a library that its layer may not; one
/// message each.
/// @param file relative to the repository, with forward slashes.
[[nodiscard]] std::vector<std::string> layer_violations(std::string_view file,
                                                        std::string_view source_text);

/// What in this source breaks the conventions that let a header compile alone: a header has
/// `#pragma once`, a source includes the header of its own name (`own_header`, empty where there is
/// none) first.
[[nodiscard]] std::vector<std::string> header_violations(std::string_view file,
                                                         std::string_view source_text,
                                                         std::string_view own_header);

/// A source that is missing from the list in its folder's CMakeLists.txt (given as text) would
/// never be compiled.
[[nodiscard]] bool is_listed(std::string_view file_name, std::string_view cmake_text);

/// All sources and headers of ours below the repository, relative to it, sorted.
[[nodiscard]] std::vector<std::string> source_files(const std::filesystem::path& repository);

[[nodiscard]] std::string read_text(const std::filesystem::path& file);

}  // namespace headroom::tests
