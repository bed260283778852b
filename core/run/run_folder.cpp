#include "core/run/run_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/folder_path.hpp"
#include "core/base/io_error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/settings_schema.hpp"

namespace headroom::run {
namespace {

namespace fs = std::filesystem;
using base::Error;
using base::ErrorKind;
using nlohmann::json;

constexpr const char* kDescriptionFile = "run.json";
constexpr const char* kLockFile = ".lock";
constexpr const char* kFormat = "headroom-run";
constexpr std::int64_t kFormatVersion = 1;

constexpr const char* kMaking = "making the run folder";
constexpr const char* kOpening = "opening the run";

Error usage_error(const char* attempted, const fs::path& folder, const std::string& problem,
                  std::string remedy) {
  return {ErrorKind::usage,
          {.attempted = attempted,
           .subject = fmt::format("{} {}", base::display_path(folder), problem),
           .remedy = std::move(remedy)}};
}

/// Whether there is anything but the lock file.
bool has_contents(const fs::path& folder) {
  std::error_code problem;
  fs::directory_iterator entry(folder, problem);
  for (; !problem && entry != fs::directory_iterator(); entry.increment(problem)) {
    if (entry->path().filename() != kLockFile) return true;
  }
  if (problem) throw base::io_error("reading the run folder", folder, problem.value());
  return false;
}

void refuse_contents(const fs::path& folder) {
  if (!has_contents(folder)) return;
  throw usage_error(kMaking, folder, "is not empty",
                    "Give --out a new or empty folder, or continue that run with --resume");
}

/// True while `descriptor` is what the name leads to: its file may have been removed before it was
/// locked.
bool is_still_there(const base::FileDescriptor& descriptor, const fs::path& file) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor.get(), &opened) == 0 && ::stat(file.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

base::FileDescriptor lock(const fs::path& folder, const char* attempted) {
  const fs::path file = folder / kLockFile;
  while (true) {
    constexpr mode_t kNewFileMode = 0666;
    base::FileDescriptor opened(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kNewFileMode));
    if (!opened.is_open()) throw base::io_error(attempted, file, errno);
    if (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) throw base::io_error(attempted, file, errno);
      throw usage_error(attempted, folder, "is being written by another process",
                        "Wait until that one has ended, or stop it");
    }
    if (is_still_there(opened, file)) return opened;
  }
}

std::string hex_of(const std::string& bytes) {
  std::string hex;
  for (const char byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return hex;
}

std::string bytes_of_hex(const std::string& hex) {
  std::string bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    unsigned int value = 0;
    std::from_chars(hex.data() + i, hex.data() + i + 2, value, 16);
    bytes += static_cast<char>(value);
  }
  return bytes;
}

/// JSON holds UTF-8 only; a path may be any bytes.
nlohmann::ordered_json json_of_path(const fs::path& path) {
  const std::string shown = base::display_path(path);
  if (shown == path.native()) return shown;
  return {{"shown", shown}, {"bytes_hex", hex_of(path.native())}};
}

fs::path path_of_json(const json& value) {
  if (value.is_string()) return value.get<std::string>();
  return bytes_of_hex(value.at("bytes_hex").get<std::string>());
}

void check_format(const json& object, const fs::path& folder) {
  if (object.at("format") != kFormat) {
    throw usage_error(kOpening, folder, "holds a run.json of another program",
                      "Give the folder of a run");
  }
  const auto version = object.at("format_version").get<std::int64_t>();
  if (version > kFormatVersion) {
    throw usage_error(
        kOpening, folder,
        fmt::format(
            "was written by a newer version of Headroom (format {}, this one reads up to {})",
            version, kFormatVersion),
        "Update Headroom");
  }
}

}  // namespace

RunDescription read_run_description(const fs::path& folder) {
  const fs::path file = folder / kDescriptionFile;
  std::error_code ignored;
  if (!fs::exists(file, ignored) && !ignored) {
    throw usage_error(kOpening, folder, "is no run: it has no run.json",
                      "Give the folder that train --out made");
  }
  const std::string source = base::display_path(file);
  const json object = base::parse_json_object(base::read_file(file), kOpening, source);
  try {
    check_format(object, folder);
    RunDescription description;
    base::apply_json_object(description.settings, object.at("settings"), source);
    description.data_folder = path_of_json(object.at("data").at("folder"));
    object.at("data").at("fingerprint").get_to(description.data_fingerprint);
    object.at("environment").get_to(description.environment);
    object.at("build_commit").get_to(description.build_commit);
    for (const json& relief : object.value("out_of_memory", json::array())) {
      description.memory_reliefs.push_back(memory_relief_of_json(relief));
    }
    return description;
  } catch (const json::exception& problem) {
    throw Error(ErrorKind::usage, {.attempted = kOpening,
                                   .subject = source + ": something is missing or of another type",
                                   .remedy = "Restore the file, or train anew",
                                   .detail = problem.what()});
  }
}

RunFolder::RunFolder(fs::path path, base::FileDescriptor lock, Origin origin)
    : path_(std::move(path)), lock_(std::move(lock)), origin_(origin) {}

RunFolder RunFolder::create(const fs::path& folder, const fs::path& data_folder) {
  const fs::path path = base::absolute_folder(folder);
  if (!data_folder.empty() && base::is_inside(path, data_folder)) {
    throw usage_error(kMaking, path,
                      fmt::format("is inside the data folder {}", base::display_path(data_folder)),
                      "Give --out a folder outside the data");
  }
  std::error_code problem;
  const fs::file_status status = fs::status(path, problem);
  if (fs::exists(status) && !fs::is_directory(status)) {
    throw usage_error(kMaking, path, "is a file", "Give --out a new or empty folder");
  }
  const bool is_new = fs::create_directories(path, problem);
  if (problem) throw base::io_error(kMaking, path, problem.value());
  // Before the lock too: nothing is put into a folder that is not ours.
  refuse_contents(path);
  RunFolder made(path, lock(path, kMaking), is_new ? Origin::made : Origin::was_empty);
  refuse_contents(path);
  return made;
}

RunFolder RunFolder::open(const fs::path& folder) {
  const fs::path path = base::absolute_folder(folder);
  // Before the lock: nothing is put into a folder that is no run.
  static_cast<void>(read_run_description(path));
  RunFolder opened(path, lock(path, kOpening), Origin::had_run);
  for (const fs::path& written : {path, path / "state_last", path / "previews"}) {
    std::error_code absent;
    if (fs::is_directory(written, absent)) base::remove_partial_files(written);
  }
  return opened;
}

RunFolder::~RunFolder() {
  if (!lock_.is_open() || origin_ == Origin::had_run) return;
  std::error_code ignored;
  for (fs::directory_iterator entry(path_, ignored), end; !ignored && entry != end;
       entry.increment(ignored)) {
    if (entry->path().filename() != kLockFile) return;
  }
  fs::remove(path_ / kLockFile, ignored);
  if (origin_ == Origin::made) fs::remove(path_, ignored);
}

void RunFolder::write_description(const RunDescription& description) const {
  nlohmann::ordered_json reliefs = nlohmann::ordered_json::array();
  for (const MemoryRelief& relief : description.memory_reliefs) reliefs.push_back(to_json(relief));
  const nlohmann::ordered_json object = {
      {"format", kFormat},
      {"format_version", kFormatVersion},
      {"build_commit", description.build_commit},
      {"settings", base::settings_object(description.settings)},
      {"data",
       {{"folder", json_of_path(description.data_folder)},
        {"fingerprint", description.data_fingerprint}}},
      {"environment", description.environment},
      {"out_of_memory", std::move(reliefs)},
  };
  base::write_file_atomically(path_ / kDescriptionFile, base::dump_json(object, 2) + "\n");
}

}  // namespace headroom::run
