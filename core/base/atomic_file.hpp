#pragma once
// Files that are whole or not there, however the program ends. Not for two threads at once; two
// objects on different files are independent. Every failure is an Error (io) that names the file
// and the reason.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom::base {

/// An open file descriptor; closes it.
class FileDescriptor {
 public:
  FileDescriptor() = default;
  explicit FileDescriptor(int descriptor) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept;
  FileDescriptor& operator=(FileDescriptor&& other) noexcept;
  ~FileDescriptor();

  [[nodiscard]] int get() const { return descriptor_; }
  [[nodiscard]] bool is_open() const { return descriptor_ >= 0; }
  /// Closes now and returns the error number of doing so; 0 when all went well.
  int close();

 private:
  int descriptor_ = -1;
};

/// Writes into a hidden temporary file beside `target`; commit() makes it the target in one step,
/// fsync of file and folder included. Without commit the target stays as it was and the temporary
/// file is removed.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path target);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void write(std::string_view text);
  /// For libraries that write files themselves; they are done with it before commit().
  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  /// Once, after the last write.
  void commit();

 private:
  std::filesystem::path target_;
  std::filesystem::path temporary_;
  FileDescriptor file_;
};

void write_file_atomically(const std::filesystem::path& target, std::string_view text);
void write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> bytes);

/// Removes what writers that were killed left in `folder`. Only where no other process writes.
void remove_partial_files(const std::filesystem::path& folder);

/// The whole file as bytes.
[[nodiscard]] std::string read_file(const std::filesystem::path& file);

/// Makes renames and new names inside the folder survive a loss of power.
void sync_folder(const std::filesystem::path& folder);

/// Appends lines; each is handed to the system in one write, so that a kill loses no line that was
/// appended and leaves at most one torn line at the end, which the next opening cuts off.
class LineFile {
 public:
  /// Creates the file where it is missing.
  explicit LineFile(std::filesystem::path file);

  /// `line` without its newline. When the disk is full the file keeps its whole lines, and Error is
  /// thrown.
  void append(std::string_view line);
  /// Makes the lines survive a loss of power.
  void sync();
  [[nodiscard]] std::int64_t size_bytes() const { return size_bytes_; }

 private:
  std::filesystem::path path_;
  FileDescriptor file_;
  std::int64_t size_bytes_ = 0;
};

}  // namespace headroom::base
