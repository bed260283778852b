#include "core/formats/gdcm_library.hpp"

#include <gdcmTrace.h>

#include <mutex>

namespace headroom::formats {

void prepare_gdcm() {
  static std::once_flag once;
  std::call_once(once, [] {
    gdcm::Trace::DebugOff();
    gdcm::Trace::WarningOff();
    gdcm::Trace::ErrorOff();
  });
}

}  // namespace headroom::formats
