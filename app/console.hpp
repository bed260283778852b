#pragma once
// Standard output and standard error of the program. Results go to the first, everything else to
// the second. Safe to call from any thread as far as one call is one write.

#include <string_view>

namespace headroom::app {

/// Opens /dev/null in place of each of the three standard descriptors that is closed, so that no
/// file of ours ever gets one of their numbers. First thing in `main`.
void fill_standard_descriptors();

/// Writes all of `text` to standard output. A reader that is gone is no error: the rest is dropped.
/// Throws base::Error (io) otherwise.
void write_output(std::string_view text);

/// Writes to standard error; whatever fails there can be told to nobody and is dropped.
void write_errors(std::string_view text) noexcept;

/// Columns of the terminal that standard error is; 0 where it is none, or one that cannot move its
/// cursor.
[[nodiscard]] int terminal_columns() noexcept;

}  // namespace headroom::app
