#include "core/base/error.hpp"

#include <utility>

namespace headroom::base {
namespace {

std::string message_of(const ErrorParts& parts) {
  std::string message = parts.attempted;
  for (const auto& [separator, part] :
       {std::pair(": ", &parts.subject), std::pair(". ", &parts.remedy)}) {
    if (part->empty()) continue;
    if (!message.empty()) message += separator;
    message += *part;
  }
  return message;
}

}  // namespace

Error::Error(ErrorKind kind, ErrorParts parts)
    : kind_(kind), parts_(std::move(parts)), message_(message_of(parts_)) {}

}  // namespace headroom::base
