#pragma once
// What GDAL says while this object lives, collected instead of printed. One thread: GDAL's handlers
// are per thread.

#include <string>

namespace headroom::formats {

class GdalMessages {
 public:
  GdalMessages();
  ~GdalMessages();
  GdalMessages(const GdalMessages&) = delete;
  GdalMessages& operator=(const GdalMessages&) = delete;

  /// Whether anything worse than a warning was said.
  [[nodiscard]] bool failed() const { return failed_; }
  /// The failures, in order, joined by "; ", else the warnings.
  [[nodiscard]] const std::string& text() const { return failed_ ? failures_ : warnings_; }
  /// Called by GDAL's handler.
  void add(bool is_failure, const char* message);

 private:
  bool failed_ = false;
  std::string failures_;
  std::string warnings_;
};

}  // namespace headroom::formats
