#pragma once
// The one error type of the program. Every layer throws it; only thread tops, `main` and places
// that really recover catch it. Free of threads and state: a value.

#include <exception>
#include <string>

namespace headroom::base {

/// What went wrong, as the command line reports it: the numeric value is the exit code.
enum class ErrorKind {
  internal = 1,       ///< a broken invariant, or `verify` found a difference
  usage = 2,          ///< wrong use, unknown setting, value out of range
  unusable_data = 3,  ///< the person's images, masks or mapping cannot be used
  out_of_memory = 4,  ///< no plan fits the budget, or an allocation above it
  io = 5,             ///< disk full, no permission, device gone
  interrupted = 130,  ///< Ctrl-C or stop; the state is saved
};

/// The parts of a message, in the order in which they are shown.
struct ErrorParts {
  std::string attempted;  ///< what was attempted: "reading the mask"
  std::string
      subject;  ///< with which file, setting or value: "masks/a.png: 64x64, its image is 65x64"
  std::string remedy;  ///< what to do: "give a mask of the image's size"
  std::string
      detail{};  ///< for developers (a library's own message); logged, shown only in details
};

class Error : public std::exception {
 public:
  Error(ErrorKind kind, ErrorParts parts);

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] int exit_code() const noexcept { return static_cast<int>(kind_); }
  [[nodiscard]] const ErrorParts& parts() const noexcept { return parts_; }
  /// "attempted: subject. remedy" on one line.
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorKind kind_;
  ErrorParts parts_;
  std::string message_;
};

}  // namespace headroom::base
