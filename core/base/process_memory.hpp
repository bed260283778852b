#pragma once
// Resident memory of this process, as the system counts it.

#include <cstdint>

namespace headroom::base {

/// Resident now; 0 where the system does not say.
[[nodiscard]] std::int64_t resident_bytes();
/// Highest resident bytes since the process began or since the last reset; 0 where the system does
/// not say.
[[nodiscard]] std::int64_t peak_resident_bytes();
/// The peak starts again at what is resident now. Does nothing where the system does not allow it.
void reset_peak_resident_bytes();

}  // namespace headroom::base
