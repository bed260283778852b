#include "core/base/interruption.hpp"

#include "core/base/error.hpp"

namespace headroom::base {

void throw_if_stopped(const std::stop_token& stop, const char* attempted) {
  if (stop.stop_requested())
    throw Error(ErrorKind::interrupted, {attempted, "it was stopped", "start it again"});
}

}  // namespace headroom::base
