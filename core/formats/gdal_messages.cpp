#include "core/formats/gdal_messages.hpp"

#include <cpl_error.h>

namespace headroom::formats {

namespace {

constexpr std::size_t kLongestText = 2000;

void CPL_STDCALL collect(CPLErr severity, CPLErrorNum /*number*/, const char* message) {
  auto* messages = static_cast<GdalMessages*>(CPLGetErrorHandlerUserData());
  if (severity >= CE_Warning) messages->add(severity >= CE_Failure, message);
}

}  // namespace

GdalMessages::GdalMessages() { CPLPushErrorHandlerEx(&collect, this); }

GdalMessages::~GdalMessages() { CPLPopErrorHandler(); }

void GdalMessages::add(bool is_failure, const char* message) {
  failed_ = failed_ || is_failure;
  std::string& text = is_failure ? failures_ : warnings_;
  if (text.size() > kLongestText) return;
  if (!text.empty()) text += "; ";
  text += message;
}

}  // namespace headroom::formats
