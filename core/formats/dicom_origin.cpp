#include "core/formats/dicom_origin.hpp"

#include <gdcmReader.h>

#include <set>
#include <string_view>

#include "core/formats/gdcm_library.hpp"

namespace headroom::formats {

namespace {

/// Without the NUL or spaces that pad texts; "" where there is none.
std::string text_of(const gdcm::DataSet& header, const gdcm::Tag& tag) {
  if (!header.FindDataElement(tag)) return {};
  const gdcm::ByteValue* const value = header.GetDataElement(tag).GetByteValue();
  if (value == nullptr) return {};
  const std::string_view text(value->GetPointer(), value->GetLength());
  constexpr std::string_view kPadding("\0 ", 2);
  const auto first = text.find_first_not_of(kPadding);
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kPadding) - first + 1));
}

}  // namespace

DicomOrigin read_dicom_origin(const std::filesystem::path& file) {
  prepare_gdcm();
  const gdcm::Tag patient(0x0010, 0x0020), series(0x0020, 0x000e);
  gdcm::Reader reader;
  reader.SetFileName(file.c_str());
  if (!reader.ReadSelectedTags(std::set<gdcm::Tag>{patient, series})) return {};
  const gdcm::DataSet& header = reader.GetFile().GetDataSet();
  return {.patient = text_of(header, patient), .series = text_of(header, series)};
}

}  // namespace headroom::formats
