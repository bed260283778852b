// Volumes, where the library reads the header and the reader the voxels: refused with an Error, or
// the last slice can be read or is refused.

#include "core/base/error.hpp"
#include "core/formats/nifti_file.hpp"
#include "tests/fuzz/fuzz_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace headroom;
  static const fuzz::ScratchFolder folder;
  const std::filesystem::path path = folder.write("volume.nii", fuzz::text_of(data, size));
  for (const auto axis : {formats::SliceAxis::i, formats::SliceAxis::j, formats::SliceAxis::k}) {
    try {
      const auto file = formats::open_nifti(path, axis);
      const formats::RasterInfo info = file->info();
      const base::Image image = file->read(info.pages - 1, {.width = 1, .height = info.height});
      fuzz::require(image.height == info.height && image.width == 1);
    } catch (const base::Error& error) {
      fuzz::require(error.kind() == base::ErrorKind::unusable_data);
    }
  }
  return 0;
}
