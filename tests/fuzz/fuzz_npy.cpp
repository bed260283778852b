// NumPy's files: refused with an Error, or every page can be asked for and its first row read, or
// refused.

#include <algorithm>

#include "core/base/error.hpp"
#include "core/formats/npy_file.hpp"
#include "core/formats/npy_header.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  static const fuzz::ScratchFolder folder;
  (void)formats::parse_npy_header(fuzz::text_of(data, size));
  try {
    const auto file = formats::open_npy(folder.write("array.npy", fuzz::text_of(data, size)));
    const formats::RasterInfo info = file->info();
    fuzz::require(info.height > 0 && info.width > 0 && info.channels > 0 && info.pages > 0);
    const std::int64_t last = info.pages - 1;
    const formats::PixelWindow row = {
        .top = info.height - 1, .width = std::min<std::int64_t>(info.width, 4096), .height = 1};
    const base::Image image = file->read(last, row);
    fuzz::require(image.width == row.width && image.channels == info.channels);
  } catch (const base::Error& error) {
    fuzz::require(error.kind() == base::ErrorKind::unusable_data);
  }
  return 0;
}
