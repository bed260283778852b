#include "ui/fonts.hpp"

#include <array>

namespace headroom::ui {
namespace {

constexpr float kReferenceSize = 16;
/// Inter's digits are 6.1 to 8.5 wide at 16: centred in this they align in columns.
constexpr float kDigitAdvance = 8.2F;
constexpr std::array<ImWchar, 3> kDigits = {'0', '9', 0};
/// The first source of a font must not have the digits; everything else it may.
constexpr std::array<ImWchar, 3> kAllButDigits = {'0', '9', 0};

bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

ImFont* add_text_font(const std::filesystem::path& file, std::vector<std::string>& missing) {
  ImFontAtlas& atlas = *ImGui::GetIO().Fonts;
  if (!is_there(file)) {
    missing.push_back(file.string());
    return atlas.AddFontDefaultVector();
  }
  ImFontConfig letters;
  letters.GlyphExcludeRanges = kAllButDigits.data();
  ImFont* const font = atlas.AddFontFromFileTTF(file.c_str(), kReferenceSize, &letters);
  ImFontConfig digits;
  digits.MergeMode = true;
  digits.GlyphMinAdvanceX = digits.GlyphMaxAdvanceX = kDigitAdvance;
  atlas.AddFontFromFileTTF(file.c_str(), kReferenceSize, &digits, kDigits.data());
  return font;
}

}  // namespace

FontFiles system_font_files() {
  const std::filesystem::path inter = "/usr/share/fonts/opentype/inter";
  return {.regular = inter / "Inter-Regular.otf",
          .medium = inter / "Inter-Medium.otf",
          .semibold = inter / "Inter-SemiBold.otf",
          .icons =
              "/usr/share/fonts-materialdesignicons-webfont/fonts/"
              "materialdesignicons-webfont.ttf"};
}

Fonts load_fonts(const FontFiles& files, std::vector<std::string>& missing) {
  Fonts fonts;
  fonts.regular = add_text_font(files.regular, missing);
  fonts.medium = add_text_font(files.medium, missing);
  fonts.semibold = add_text_font(files.semibold, missing);
  if (is_there(files.icons)) {
    fonts.icons = ImGui::GetIO().Fonts->AddFontFromFileTTF(files.icons.c_str(), kReferenceSize);
  } else {
    missing.push_back(files.icons.string());
  }
  ImGui::GetIO().FontDefault = fonts.regular;
  return fonts;
}

}  // namespace headroom::ui
