#pragma once
// Windows of Hounsfield units that CT images are looked at through. Values; any thread.

#include <optional>
#include <string_view>

namespace headroom::base {

/// Values from centre - width / 2 to centre + width / 2, as DICOM's function LINEAR_EXACT (PS3.3,
/// C.11.2.1.3.2) shows them from black to white. In Hounsfield units.
struct CtWindow {
  double centre = 0;
  double width = 1;

  [[nodiscard]] double low() const { return centre - width / 2; }
  [[nodiscard]] double high() const { return centre + width / 2; }
};

/// The windows that have names, for help and messages.
inline constexpr std::string_view kCtWindowForm =
    "lung, bone, brain, soft-tissue, liver, mediastinum, or CENTRE:WIDTH in Hounsfield units";

/// A name, or CENTRE:WIDTH with a width above 0 ("-600:1500"); nothing for any other text. Named
/// windows are the usual ones of radiology (Radiopaedia, "Windowing (CT)"), centre:width:
/// lung -600:1500, bone 400:1800, brain 40:80, soft-tissue (abdomen) 50:400, liver 30:150,
/// mediastinum 50:350.
[[nodiscard]] std::optional<CtWindow> parse_ct_window(std::string_view text);

}  // namespace headroom::base
