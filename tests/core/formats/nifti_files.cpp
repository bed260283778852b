#include "tests/core/formats/nifti_files.hpp"

#include "tests/core/formats/byte_writer.hpp"

namespace headroom::tests {

std::string nifti_1(const NiftiSpec& spec, const std::string& values) {
  std::string bytes(352, '\0');
  put_at<std::int32_t>(bytes, 0, 348);
  put_at(bytes, 40, static_cast<std::int16_t>(spec.sizes.size()));
  for (std::size_t i = 0; i < 7; ++i)
    put_at<std::int16_t>(bytes, 42 + 2 * i,
                         i < spec.sizes.size() ? spec.sizes[i] : std::int16_t{1});
  put_at(bytes, 70, spec.datatype);
  put_at(bytes, 72, spec.bits);
  for (std::size_t i = 0; i < 8; ++i) put_at<float>(bytes, 76 + 4 * i, 1);
  put_at<float>(bytes, 108, 352);
  put_at(bytes, 112, spec.slope);
  put_at(bytes, 116, spec.intercept);
  put_at<std::int16_t>(bytes, 254, spec.has_affine ? 1 : 0);
  for (std::size_t i = 0; i < spec.affine.size(); ++i) put_at(bytes, 280 + 4 * i, spec.affine[i]);
  bytes.replace(344, 4, std::string("n+1\0", 4));
  return bytes + values;
}

}  // namespace headroom::tests
