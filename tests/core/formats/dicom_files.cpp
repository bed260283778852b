#include "tests/core/formats/dicom_files.hpp"

#include "tests/core/formats/byte_writer.hpp"

namespace headroom::tests {

namespace {

std::string number(std::uint16_t value) { return bytes_of_values<std::uint16_t>({value}); }

std::string padded(std::string value, char padding) {
  if (value.size() % 2 == 1) value += padding;
  return value;
}

std::string long_number(std::size_t value) {
  return bytes_of_values<std::uint32_t>({static_cast<std::uint32_t>(value)});
}

std::string optional_element(std::uint16_t group, std::uint16_t tag, const std::string& vr,
                             const std::optional<std::string>& value) {
  return value && !value->empty() ? dicom_element(group, tag, vr, *value) : std::string();
}

constexpr const char* kSecondaryCapture = "1.2.840.10008.5.1.4.1.1.7";
constexpr const char* kMrImage = "1.2.840.10008.5.1.4.1.1.4";
constexpr const char* kSegmentation = "1.2.840.10008.5.1.4.1.1.66.4";
constexpr const char* kExplicitLittleEndian = "1.2.840.10008.1.2.1";

std::string described_frame(const SegmentationFrame& frame) {
  return dicom_sequence(0x20, 0x9113, {dicom_element(0x20, 0x32, "DS", frame.position)}) +
         dicom_sequence(0x62, 0x0a, {dicom_element(0x62, 0x0b, "US", number(frame.segment))});
}

std::string described_segments(const SegmentationSpec& spec) {
  std::vector<std::string> segments, frames;
  for (std::size_t i = 0; i < spec.labels.size(); ++i) {
    segments.push_back(dicom_element(0x62, 0x04, "US", number(static_cast<std::uint16_t>(i + 1))) +
                       dicom_element(0x62, 0x05, "LO", spec.labels[i]));
  }
  for (const SegmentationFrame& frame : spec.frames) frames.push_back(described_frame(frame));
  const std::string shared =
      dicom_sequence(0x20, 0x9116, {dicom_element(0x20, 0x37, "DS", spec.orientation)}) +
      dicom_sequence(0x28, 0x9110, {dicom_element(0x28, 0x30, "DS", spec.spacing)});
  std::string bytes =
      dicom_element(0x62, 0x01, "CS", spec.most_fractional > 0 ? "FRACTIONAL" : "BINARY") +
      dicom_sequence(0x62, 0x02, segments);
  if (spec.most_fractional > 0)
    bytes += dicom_element(0x62, 0x0e, "US", number(spec.most_fractional));
  return bytes + dicom_sequence(0x5200, 0x9229, {shared}) + dicom_sequence(0x5200, 0x9230, frames);
}

}  // namespace

std::string dicom_element(std::uint16_t group, std::uint16_t tag, const std::string& vr,
                          const std::string& value) {
  const bool is_text = vr != "US" && vr != "OW" && vr != "UL" && vr != "SQ";
  const std::string body = padded(value, is_text && vr != "UI" ? ' ' : '\0');
  std::string bytes = number(group) + number(tag) + vr;
  if (vr == "OW" || vr == "SQ") {
    bytes += number(0) + long_number(body.size());
  } else {
    bytes += number(static_cast<std::uint16_t>(body.size()));
  }
  return bytes + body;
}

std::string dicom_sequence(std::uint16_t group, std::uint16_t tag,
                           const std::vector<std::string>& items) {
  std::string value;
  for (const std::string& item : items)
    value += number(0xfffe) + number(0xe000) + long_number(item.size()) + item;
  return dicom_element(group, tag, "SQ", value);
}

void write_segmentation(const std::filesystem::path& file, const SegmentationSpec& spec,
                        const std::string& values) {
  const std::uint16_t bits = spec.most_fractional > 0 ? 8 : 1;
  write_dicom(file,
              {.rows = spec.rows,
               .columns = spec.columns,
               .bits_allocated = bits,
               .bits_stored = bits,
               .frames = std::to_string(spec.frames.size()),
               .series = "1.2.99",
               .orientation = {},
               .storage = kSegmentation,
               .referenced_series = spec.referenced_series,
               .groups = described_segments(spec)},
              values);
}

void write_dicom(const std::filesystem::path& file, const DicomSpec& spec, std::string values) {
  const std::string usual = spec.samples == 1 && spec.frames.empty() ? kMrImage : kSecondaryCapture;
  const std::string storage = spec.storage.empty() ? usual : spec.storage;
  const std::string meta = dicom_element(2, 0x02, "UI", storage) +
                           dicom_element(2, 0x03, "UI", spec.instance) +
                           dicom_element(2, 0x10, "UI", kExplicitLittleEndian);
  std::string bytes(128, '\0');
  bytes += "DICM";
  bytes += dicom_element(2, 0, "UL",
                         bytes_of_values<std::uint32_t>({static_cast<std::uint32_t>(meta.size())}));
  bytes +=
      meta + dicom_element(8, 0x16, "UI", storage) + dicom_element(8, 0x18, "UI", spec.instance);
  if (!spec.referenced_series.empty())
    bytes += dicom_sequence(8, 0x1115, {dicom_element(0x20, 0x0e, "UI", spec.referenced_series)});
  bytes += optional_element(0x10, 0x20, "LO", spec.patient);
  bytes += dicom_element(0x20, 0x0e, "UI", spec.series);
  bytes += optional_element(0x20, 0x32, "DS", spec.position);
  bytes += optional_element(0x20, 0x37, "DS", spec.orientation);
  bytes += dicom_element(0x28, 0x02, "US", number(spec.samples));
  bytes += dicom_element(0x28, 0x04, "CS", spec.photometric);
  if (spec.samples > 1) bytes += dicom_element(0x28, 0x06, "US", number(spec.planar));
  bytes += optional_element(0x28, 0x08, "IS", spec.frames);
  bytes += dicom_element(0x28, 0x10, "US", number(spec.rows));
  bytes += dicom_element(0x28, 0x11, "US", number(spec.columns));
  bytes += optional_element(0x28, 0x30, "DS", spec.spacing);
  bytes += dicom_element(0x28, 0x100, "US", number(spec.bits_allocated));
  bytes += dicom_element(0x28, 0x101, "US", number(spec.bits_stored));
  bytes +=
      dicom_element(0x28, 0x102, "US", number(static_cast<std::uint16_t>(spec.bits_stored - 1)));
  bytes += dicom_element(0x28, 0x103, "US", number(spec.is_signed ? 1 : 0));
  bytes += optional_element(0x28, 0x1052, "DS", spec.intercept);
  bytes += optional_element(0x28, 0x1053, "DS", spec.slope);
  bytes += spec.groups;
  bytes += dicom_element(0x7fe0, 0x10, "OW", values);
  write_bytes(file, bytes);
}

}  // namespace headroom::tests
