#pragma once
// The header of a .npy file: a literal of Python as text. Pure; any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom::formats {

struct NpyHeader {
  std::string descr{};  ///< NumPy's name of the type, "<u2"
  bool is_fortran_order = false;
  std::vector<std::int64_t> shape{};
};

/// Reads "{'descr': '<u2', 'fortran_order': False, 'shape': (3, 4), }" with its keys in any order;
/// nothing when it is anything else, a record type included.
[[nodiscard]] std::optional<NpyHeader> parse_npy_header(std::string_view text);

}  // namespace headroom::formats
