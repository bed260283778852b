#include "core/data/sample.hpp"

#include "core/data/image_parts.hpp"

namespace headroom::data {

DecodedSample SampleReader::do_read_window(const Sample& sample,
                                           const base::PixelWindow& window) const {
  const DecodedSample whole = do_read(sample);
  return {crop(whole.image, window), crop(whole.labels, window)};
}

}  // namespace headroom::data
