#pragma once
// What the fuzz targets share. A target is one LLVMFuzzerTestOneInput over a parser of ours;
// libFuzzer calls it with inputs that it makes up, replay.cpp with those that are kept. One thread.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace headroom::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process where a promise of the parser is broken: that is what the fuzzer looks for.
inline void require(bool holds) {
  if (!holds) std::abort();
}

/// A folder of this process alone for parsers that read files; removed at the end.
class ScratchFolder {
 public:
  ScratchFolder()
      : folder_(std::filesystem::temp_directory_path() /
                ("headroom_fuzz_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(folder_);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }

  /// Replaces the file `name` of the folder.
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    const std::filesystem::path file = folder_ / name;
    std::ofstream(file, std::ios::binary | std::ios::trunc)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace headroom::fuzz
