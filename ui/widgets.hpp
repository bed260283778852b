#pragma once
// The few controls and text forms that all panels are made of. Every interactive one records itself
// under its name, which is its ImGui ID too. Sizes are in design pixels. The UI thread.

#include <span>
#include <string>
#include <string_view>

#include "ui/frame.hpp"

namespace headroom::ui {

// ---------------------------------------------------------------- text

enum class Weight { regular, medium, semibold };

struct TextStyle {
  float size = FontSize::kBody;
  Weight weight = Weight::regular;
  ImVec4 colour{};  ///< all zero: text1
};

enum class Align { left, centre, right };

[[nodiscard]] ImFont* font_of(const Fonts& fonts, Weight weight);
[[nodiscard]] ImVec2 text_size(const Frame& frame, std::string_view text, const TextStyle& style);
/// At the cursor, advancing it.
void text(const Frame& frame, std::string_view text, const TextStyle& style);
/// With the draw list; `at` is the upper left, middle or right end of the first line, in pixels.
void draw_text(const Frame& frame, ImDrawList& list, const ImVec2& at, std::string_view text,
               const TextStyle& style, Align align = Align::left);
/// The text, or as much of it as fits before "…".
[[nodiscard]] std::string elided(const Frame& frame, std::string_view text, const TextStyle& style,
                                 float width_pixels);
/// Centred on a point in pixels. Nothing where no icon font was found.
void draw_icon(const Frame& frame, ImDrawList& list, const ImVec2& centre, const char* icon,
               float size, const ImVec4& colour);

// ---------------------------------------------------------------- controls

enum class ButtonKind { primary, plain, flat };

struct ButtonOptions {
  ButtonKind kind = ButtonKind::plain;
  const char* icon = nullptr;
  float width = 0;  ///< 0: as the label needs
  float height = 28;
  std::string_view refusal{};  ///< not empty: disabled, and this is why
  std::string_view tooltip{};
};

/// `label` may be empty for an icon alone. True when it was pressed.
[[nodiscard]] bool button(const Frame& frame, const char* name, std::string_view label,
                          const ButtonOptions& options = {});

/// One of a few choices, side by side; true when `chosen` changed.
[[nodiscard]] bool segmented(const Frame& frame, const char* name,
                             std::span<const std::string_view> labels, int& chosen);

/// A thin slider of `width` design pixels; true while it moves.
[[nodiscard]] bool slider(const Frame& frame, const char* name, float& value, float low, float high,
                          float width);

/// quiet: without a box until the mouse or the keyboard is on it, as in tables.
enum class FieldLook { boxed, quiet };

/// One line to type in; `hint` while it is empty. True when it changed.
[[nodiscard]] bool text_field(const Frame& frame, const char* name, std::string& value,
                              const char* hint, float width, FieldLook look = FieldLook::boxed);

/// An invisible control over a rectangle in pixels, for what is drawn by hand.
struct Hit {
  bool hovered = false;  ///< or focused by keyboard
  bool pressed = false;
  bool held = false;
  bool right_pressed = false;
  bool focused = false;
};
/// `refusal` not empty: it cannot be pressed, and this is why; telling it is left to the caller.
[[nodiscard]] Hit hit_area(const Frame& frame, const char* name, const ImVec2& min,
                           const ImVec2& max, std::string_view text = {},
                           std::string_view refusal = {});

/// Opens a child for rows of `size` pixels without space between them, as wide as the text above
/// it: its scroll bar is beside them. end_rows() follows in any case.
[[nodiscard]] bool begin_rows(const Frame& frame, const char* name, const ImVec2& size);
void end_rows();

/// Shown when the item before is hovered; lines apart by '\n'.
void tooltip(const Frame& frame, std::string_view text);

// ---------------------------------------------------------------- shapes

/// Over the panel's full width at the cursor, with 10 above and below.
void hairline(const Frame& frame);
/// A label in text3, a value in large figures below, and an optional note below that.
struct Figure {
  std::string_view label{};
  std::string_view value{};
  std::string_view note{};  ///< empty: none
  ImVec4 value_colour{};    ///< all zero: text1
  float value_size = FontSize::kFigure;
};
/// At `at` in pixels with the draw list; returns its size.
ImVec2 draw_figure(const Frame& frame, ImDrawList& list, const ImVec2& at, const Figure& figure);
/// A rounded track with a filled share 0 … 1.
void draw_bar(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
              float share, const ImVec4& colour);
/// 45 degree lines `spacing` design pixels apart, clipped to the rectangle.
void draw_hatch(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
                const ImVec4& colour, float spacing = 6, float weight = 1);
/// A grid of dots, clipped.
void draw_dots(const Frame& frame, ImDrawList& list, const ImVec2& min, const ImVec2& max,
               const ImVec4& colour, float spacing = 5);
/// The policy's swatch as legends show it: plain, half, hatched, dotted.
void draw_policy_swatch(const Frame& frame, ImDrawList& list, const ImVec2& min, float side,
                        plan::Policy policy);

}  // namespace headroom::ui
