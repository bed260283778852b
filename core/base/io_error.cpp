#include "core/base/io_error.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

namespace headroom::base {
namespace {

std::string remedy_for(int error_number) {
  switch (error_number) {
    case ENOSPC:
    case EDQUOT:
      return "Free some space on that disk, or choose a folder on another one";
    case EACCES:
    case EPERM:
      return "Give yourself permission, or choose another folder";
    case EROFS:
      return "Choose a folder on a disk that can be written";
    case ENOENT:
      return "Check the path";
    case ENOTDIR:
    case EISDIR:
      return "Check the path: a part of it is not what its place needs";
    case ENAMETOOLONG:
      return "Choose a shorter name";
    case EMFILE:
    case ENFILE:
      return "Close other programs, or raise the limit of open files (ulimit -n)";
    case EFBIG:
      return "Choose a disk whose file system takes files of this size, or raise the limit (ulimit "
             "-f)";
    default:
      return "Check that the disk is there and works, then try again";
  }
}

}  // namespace

Error io_error(std::string attempted, const std::filesystem::path& file, int error_number) {
  const std::string reason = std::generic_category().message(error_number);
  return Error(ErrorKind::io, {.attempted = std::move(attempted),
                               .subject = fmt::format("{}: {}", display_path(file), reason),
                               .remedy = remedy_for(error_number),
                               .detail = fmt::format("errno {}", error_number)});
}

std::string display_path(const std::filesystem::path& path) { return display_text(path.native()); }

std::string display_text(const std::string& bytes) {
  // The JSON library's writer checks UTF-8; its reader gives the repaired text back.
  const std::string repaired =
      nlohmann::json(bytes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return nlohmann::json::parse(repaired).get<std::string>();
}

}  // namespace headroom::base
