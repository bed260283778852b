// NIfTI-1 files for tests, put together by hand (nifti1.h).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::tests {

struct NiftiSpec {
  std::vector<std::int16_t> sizes{};
  std::int16_t datatype = 4;  ///< 2: uint8, 4: int16, 16: float32, 1024: int64, 32: complex
  std::int16_t bits = 16;
  float slope = 0;
  float intercept = 0;
  std::array<float, 12> affine = {2, 0, 0, -90, 0, 3, 0, -126, 0, 0, 4, -72};  ///< sform's rows
  bool has_affine = true;
};

/// The bytes of a single file: header and values.
[[nodiscard]] std::string nifti_1(const NiftiSpec& spec, const std::string& values);

}  // namespace headroom::tests
