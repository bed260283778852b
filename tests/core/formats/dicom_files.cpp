#include "tests/core/formats/dicom_files.hpp"

#include "tests/core/formats/byte_writer.hpp"

namespace headroom::tests {

namespace {

std::string number(std::uint16_t value) { return bytes_of_values<std::uint16_t>({value}); }

std::string padded(std::string value, char padding) {
  if (value.size() % 2 == 1) value += padding;
  return value;
}

std::string element(std::uint16_t group, std::uint16_t tag, const std::string& vr,
                    const std::string& value) {
  const bool is_text = vr != "US" && vr != "OW" && vr != "UL";
  const std::string body = padded(value, is_text && vr != "UI" ? ' ' : '\0');
  std::string bytes = number(group) + number(tag) + vr;
  if (vr == "OW") {
    bytes += number(0) + bytes_of_values<std::uint32_t>({static_cast<std::uint32_t>(body.size())});
  } else {
    bytes += number(static_cast<std::uint16_t>(body.size()));
  }
  return bytes + body;
}

std::string optional_element(std::uint16_t group, std::uint16_t tag, const std::string& vr,
                             const std::optional<std::string>& value) {
  return value && !value->empty() ? element(group, tag, vr, *value) : std::string();
}

constexpr const char* kSecondaryCapture = "1.2.840.10008.5.1.4.1.1.7";
constexpr const char* kMrImage = "1.2.840.10008.5.1.4.1.1.4";
constexpr const char* kExplicitLittleEndian = "1.2.840.10008.1.2.1";

}  // namespace

void write_dicom(const std::filesystem::path& file, const DicomSpec& spec, std::string values) {
  const std::string storage =
      spec.samples == 1 && spec.frames.empty() ? kMrImage : kSecondaryCapture;
  const std::string meta = element(2, 0x02, "UI", storage) + element(2, 0x03, "UI", "1.2.3.4") +
                           element(2, 0x10, "UI", kExplicitLittleEndian);
  std::string bytes(128, '\0');
  bytes += "DICM";
  bytes += element(2, 0, "UL",
                   bytes_of_values<std::uint32_t>({static_cast<std::uint32_t>(meta.size())}));
  bytes += meta + element(8, 0x16, "UI", storage) + element(8, 0x18, "UI", "1.2.3.4");
  bytes += optional_element(0x10, 0x20, "LO", spec.patient);
  bytes += element(0x20, 0x0e, "UI", spec.series);
  bytes += optional_element(0x20, 0x32, "DS", spec.position);
  bytes += optional_element(0x20, 0x37, "DS", spec.orientation);
  bytes += element(0x28, 0x02, "US", number(spec.samples));
  bytes += element(0x28, 0x04, "CS", spec.photometric);
  if (spec.samples > 1) bytes += element(0x28, 0x06, "US", number(spec.planar));
  bytes += optional_element(0x28, 0x08, "IS", spec.frames);
  bytes += element(0x28, 0x10, "US", number(spec.rows));
  bytes += element(0x28, 0x11, "US", number(spec.columns));
  bytes += element(0x28, 0x100, "US", number(spec.bits_allocated));
  bytes += element(0x28, 0x101, "US", number(spec.bits_stored));
  bytes += element(0x28, 0x102, "US", number(static_cast<std::uint16_t>(spec.bits_stored - 1)));
  bytes += element(0x28, 0x103, "US", number(spec.is_signed ? 1 : 0));
  bytes += optional_element(0x28, 0x1052, "DS", spec.intercept);
  bytes += optional_element(0x28, 0x1053, "DS", spec.slope);
  bytes += element(0x7fe0, 0x10, "OW", values);
  write_bytes(file, bytes);
}

}  // namespace headroom::tests
