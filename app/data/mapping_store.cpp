#include "app/data/mapping_store.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <system_error>

#include "core/base/atomic_file.hpp"
#include "core/base/error.hpp"
#include "core/base/io_error.hpp"

namespace headroom::app {
namespace {

namespace fs = std::filesystem;

/// FNV-1a, 64 bit.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

fs::path folder_in(const fs::path& home) { return home / "mappings"; }

void write(const fs::path& file, const std::string& json) {
  std::error_code failure;
  fs::create_directories(file.parent_path(), failure);
  if (failure) throw base::io_error("saving the class mapping", file, failure.value());
  base::write_file_atomically(file, json + '\n');
}

}  // namespace

fs::path keep_mapping(const fs::path& home, const std::string& folder_name,
                      const base::ClassMapping& mapping) {
  const std::string json = to_json(mapping);
  const fs::path file =
      folder_in(home) / fmt::format("{}-{:016x}.json", folder_name, hash_of(json));
  std::error_code ignored;
  if (!fs::exists(file, ignored)) write(file, json);
  return file;
}

bool is_kept_mapping(const fs::path& home, const fs::path& file) {
  return !file.empty() && file.parent_path() == folder_in(home);
}

void save_mapping(const fs::path& file, const base::ClassMapping& mapping) {
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    throw base::Error(base::ErrorKind::usage,
                      {.attempted = "saving the class mapping",
                       .subject = base::display_path(file) + " is there already",
                       .remedy = "Choose another name"});
  }
  write(file, to_json(mapping));
}

}  // namespace headroom::app
