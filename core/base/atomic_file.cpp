#include "core/base/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "core/base/io_error.hpp"

namespace headroom::base {
namespace {

constexpr mode_t kNewFileMode = 0666;  // the umask takes from it
constexpr const char* kWriting = "writing a file";
constexpr std::string_view kPartialMark = ".partial-";
constexpr std::size_t kLongestNamePart = 200;  // a file's name has at most 255 bytes

/// Writes all of `bytes`; the error number, 0 when all went well.
int write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

std::filesystem::path folder_of(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  return folder.empty() ? std::filesystem::path(".") : folder;
}

/// The length of `file` up to and with its last newline.
std::int64_t whole_lines_size(int descriptor, std::int64_t size,
                              const std::filesystem::path& file) {
  std::array<char, 4096> block{};
  std::int64_t end = size;
  while (end > 0) {
    const std::int64_t begin = std::max<std::int64_t>(0, end - std::ssize(block));
    const ssize_t got =
        ::pread(descriptor, block.data(), static_cast<std::size_t>(end - begin), begin);
    if (got != end - begin)
      throw io_error("reading the end of a file", file, got < 0 ? errno : EIO);
    const std::string_view text(block.data(), static_cast<std::size_t>(got));
    if (const std::size_t newline = text.rfind('\n'); newline != std::string_view::npos) {
      return begin + static_cast<std::int64_t>(newline) + 1;
    }
    end = begin;
  }
  return 0;
}

}  // namespace

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
  if (this != &other) {
    close();
    descriptor_ = std::exchange(other.descriptor_, -1);
  }
  return *this;
}

FileDescriptor::~FileDescriptor() { close(); }

int FileDescriptor::close() {
  if (!is_open()) return 0;
  return ::close(std::exchange(descriptor_, -1)) == 0 ? 0 : errno;
}

AtomicFile::AtomicFile(std::filesystem::path target) : target_(std::move(target)) {
  // In the same folder: a rename replaces atomically only within one file system.
  const std::filesystem::path folder = folder_of(target_);
  const std::string name = target_.filename().native().substr(0, kLongestNamePart);
  for (int attempt = 0; !file_.is_open(); ++attempt) {
    temporary_ = folder / fmt::format(".{}{}{}-{}", name, kPartialMark, ::getpid(), attempt);
    file_ = FileDescriptor(
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kNewFileMode));
    if (!file_.is_open() && errno != EEXIST) throw io_error(kWriting, target_, errno);
  }
}

AtomicFile::~AtomicFile() {
  if (file_.is_open()) {
    file_.close();
    ::unlink(temporary_.c_str());
  }
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  write(std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
}

void AtomicFile::write(std::string_view text) {
  if (const int problem = write_all(file_.get(), text)) {
    throw io_error(kWriting, target_, problem);
  }
}

void AtomicFile::commit() {
  if (::fsync(file_.get()) != 0 || ::rename(temporary_.c_str(), target_.c_str()) != 0) {
    throw io_error(kWriting, target_, errno);
  }
  if (const int problem = file_.close()) throw io_error(kWriting, target_, problem);
  sync_folder(folder_of(target_));
}

void write_file_atomically(const std::filesystem::path& target, std::string_view text) {
  AtomicFile file(target);
  file.write(text);
  file.commit();
}

void write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> bytes) {
  AtomicFile file(target);
  file.write(bytes);
  file.commit();
}

void remove_partial_files(const std::filesystem::path& folder) {
  std::error_code problem;
  std::filesystem::directory_iterator entries(folder, problem);
  while (!problem && entries != std::filesystem::directory_iterator()) {
    const std::string name = entries->path().filename().native();
    if (name.starts_with('.') && name.find(kPartialMark) != std::string::npos) {
      std::filesystem::remove(entries->path(), problem);
    }
    if (!problem) entries.increment(problem);
  }
  if (problem) throw io_error("removing partial files", folder, problem.value());
}

std::string read_file(const std::filesystem::path& file) {
  const std::string attempted = "reading a file";
  const FileDescriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  if (!opened.is_open()) throw io_error(attempted, file, errno);
  std::string contents;
  std::array<char, 1 << 16> block{};
  while (true) {
    const ssize_t got = ::read(opened.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw io_error(attempted, file, errno);
    if (got == 0) return contents;
    contents.append(block.data(), static_cast<std::size_t>(got));
  }
}

void sync_folder(const std::filesystem::path& folder) {
  const FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Some file systems refuse to sync a folder; there is nothing that could be done about it.
  if (!opened.is_open() || (::fsync(opened.get()) != 0 && errno != EINVAL && errno != ENOTSUP)) {
    throw io_error("writing a folder", folder, errno);
  }
}

LineFile::LineFile(std::filesystem::path file) : path_(std::move(file)) {
  file_ =
      FileDescriptor(::open(path_.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, kNewFileMode));
  struct stat status {};
  if (!file_.is_open() || ::fstat(file_.get(), &status) != 0) {
    throw io_error(kWriting, path_, errno);
  }
  size_bytes_ = whole_lines_size(file_.get(), status.st_size, path_);
  if (size_bytes_ != status.st_size && ::ftruncate(file_.get(), size_bytes_) != 0) {
    throw io_error(kWriting, path_, errno);
  }
}

void LineFile::append(std::string_view line) {
  std::string text(line);
  text += '\n';
  if (const int problem = write_all(file_.get(), text)) {
    // The part of a line that found room must not stay; if even that fails, the next opening cuts
    // it off.
    const int cut = ::ftruncate(file_.get(), size_bytes_);
    throw io_error(cut == 0 ? "adding a line to a file" : "adding a line to a file (it ends torn)",
                   path_, problem);
  }
  size_bytes_ += std::ssize(text);
}

void LineFile::sync() {
  if (::fdatasync(file_.get()) != 0) throw io_error(kWriting, path_, errno);
}

}  // namespace headroom::base
