#include "core/base/folder_path.hpp"

#include <algorithm>
#include <system_error>

#include "core/base/io_error.hpp"

namespace headroom::base {
namespace {

namespace fs = std::filesystem;

fs::path resolved(const fs::path& folder) {
  std::error_code problem;
  fs::path path = fs::weakly_canonical(absolute_folder(folder), problem);
  if (problem) throw io_error("looking up the folder", folder, problem.value());
  return path;
}

}  // namespace

fs::path absolute_folder(const fs::path& folder) {
  const fs::path normal = fs::absolute(folder).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();
}

std::string name_of_folder(const fs::path& folder) {
  return display_path((folder.has_filename() ? folder : folder.parent_path()).filename());
}

bool is_inside(const fs::path& inner, const fs::path& outer) {
  const fs::path inside = resolved(inner), around = resolved(outer);
  const auto [around_rest, inside_rest] =
      std::mismatch(around.begin(), around.end(), inside.begin(), inside.end());
  return around_rest == around.end();
}

}  // namespace headroom::base
