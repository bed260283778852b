#include "ui/first_start.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "ui/icons.hpp"
#include "ui/number_text.hpp"
#include "ui/u_illustration.hpp"
#include "ui/widgets.hpp"

namespace headroom::ui {
namespace {

constexpr float kCardWidth = 320, kCardHeight = 216, kCardGap = 24;
constexpr float kLeastCardWidth = 220;
constexpr float kDropHeight = 48;
constexpr float kFactsHeight = 36;

struct Card {
  const char* name;  ///< of its button
  const char* icon;
  const char* shortcut;
  ImGuiKeyChord chord;
  const char* title;
  std::string lines[2];
  const char* action;
  std::string refusal{};
};

/// The latest run that has steps to do; null: none.
const RecentRun* run_to_continue(const Shell& shell) {
  const auto found = std::ranges::find_if(shell.recent_runs, [](const RecentRun& run) {
    return run.steps <= 0 || run.steps_done < run.steps;
  });
  return found == shell.recent_runs.end() ? nullptr : &*found;
}

std::array<Card, 3> cards_of(const Frame& frame) {
  std::array<Card, 3> cards = {
      Card{"start/open",
           icon::kFolder,
           "Ctrl O",
           ImGuiMod_Ctrl | ImGuiKey_O,
           "Open a folder",
           {"PNG, JPEG, TIFF, GeoTIFF, BMP or WebP with", "masks. Layout and classes are found."},
           "Choose folder"},
      Card{"start/sample",
           icon::kFlask,
           "Ctrl T",
           ImGuiMod_Ctrl | ImGuiKey_T,
           "Try the sample",
           {"24 generated aerial images, 256 px.", "Trains in about two minutes."},
           "Start the sample"},
      Card{"start/continue",
           icon::kHistory,
           "Ctrl R",
           ImGuiMod_Ctrl | ImGuiKey_R,
           "Continue a run",
           {"A run that was stopped goes on", "from the step it was saved at."},
           "Continue"}};
  if (const RecentRun* const run = run_to_continue(frame.shell)) {
    cards[2].lines[0] =
        run->name + ", step " + count_text(run->steps_done) + " of " + count_text(run->steps);
    cards[2].lines[1] = run->saved.empty() ? std::string() : "saved " + run->saved;
  } else {
    cards[2].refusal = "There is no run to continue yet.";
  }
  if (frame.shell.busy.has_value()) {
    for (Card& card : cards) card.refusal = "Wait for this: " + frame.shell.busy->text + ".";
  }
  return cards;
}

void take(const Frame& frame, std::size_t card) {
  if (card == 0) frame.shared.folder_dialog_is_due = true;
  if (card == 1) frame.request(TrySample{});
  if (card != 2) return;
  if (const RecentRun* const run = run_to_continue(frame.shell))
    frame.request(ContinueRun{.run_folder = run->folder});
}

void draw_shortcut(const Frame& frame, ImDrawList& list, const ImVec2& right_top,
                   const char* words) {
  const TextStyle style{.size = FontSize::kLabel, .colour = frame.theme.text2};
  const float width = text_size(frame, words, style).x + frame.px(12);
  const ImVec2 min{right_top.x - width, right_top.y};
  list.AddRect(min, {right_top.x, right_top.y + frame.px(20)}, packed(frame.theme.line2),
               frame.px(4));
  draw_text(frame, list, {min.x + frame.px(6), min.y + frame.px(3.5F)}, words, style);
}

/// True when its button was pressed.
bool draw_card(const Frame& frame, const Card& card, const ImVec2& at, float width, bool is_first) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max{at.x + width, at.y + frame.px(kCardHeight)};
  const float rounding = frame.px(10);
  list.AddRectFilled(at, max, packed(frame.theme.bg1), rounding);
  list.AddRect(at, max, packed(is_first ? frame.theme.accent : frame.theme.line2), rounding, 0,
               frame.px(is_first ? 1.5F : 1));
  const float x = at.x + frame.px(24);
  const ImVec2 tile{x, at.y + frame.px(24)};
  const float side = frame.px(44);
  list.AddRectFilled(
      tile, {tile.x + side, tile.y + side},
      packed(is_first ? mix(frame.theme.bg1, frame.theme.accent, 0.18F) : frame.theme.bg3),
      frame.px(8));
  draw_icon(frame, list, {tile.x + side / 2, tile.y + side / 2}, card.icon, 26,
            is_first ? frame.theme.accent : frame.theme.text1);
  draw_shortcut(frame, list, {max.x - frame.px(24), at.y + frame.px(24)}, card.shortcut);
  draw_text(frame, list, {x, at.y + frame.px(86)}, card.title,
            {.size = FontSize::kBrand, .weight = Weight::semibold});
  const TextStyle words{.size = FontSize::kTable, .colour = frame.theme.text2};
  float y = at.y + frame.px(114);
  for (const std::string& line : card.lines) {
    draw_text(frame, list, {x, y}, elided(frame, line, words, max.x - x - frame.px(16)), words);
    y += frame.px(19);
  }
  ImGui::SetCursorScreenPos({x, at.y + frame.px(160)});
  return button(frame, card.name, card.action,
                {.kind = is_first ? ButtonKind::primary : ButtonKind::plain,
                 .height = 32,
                 .refusal = card.refusal});
}

void draw_drop_hint(const Frame& frame, const ImVec2& at, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 max{at.x + width, at.y + frame.px(kDropHeight)};
  const ImU32 colour = packed(frame.theme.line2);
  const float dash = frame.px(5);
  for (float x = at.x; x < max.x; x += 2 * dash) {
    const float end = std::min(x + dash, max.x);
    list.AddLine({x, at.y}, {end, at.y}, colour);
    list.AddLine({x, max.y}, {end, max.y}, colour);
  }
  for (float y = at.y; y < max.y; y += 2 * dash) {
    const float end = std::min(y + dash, max.y);
    list.AddLine({at.x, y}, {at.x, end}, colour);
    list.AddLine({max.x, y}, {max.x, end}, colour);
  }
  const TextStyle style{.size = FontSize::kTable, .colour = frame.theme.text2};
  draw_text(frame, list, {at.x + width / 2, at.y + frame.px((kDropHeight - style.size) / 2)},
            elided(frame, "Or drop a folder or a run anywhere on this window", style,
                   width - frame.px(16)),
            style, Align::centre);
}

struct Fact {
  const char* icon = nullptr;
  std::string title{}, note{};
  ImVec4 colour{};
};

Fact self_test_fact(const Frame& frame) {
  const auto& test = frame.run.self_test;
  if (!test.has_value())
    return {icon::kRefresh, "Self-test is running", "do plans give equal results here?",
            frame.theme.text2};
  if (test->has_passed())
    return {icon::kCheckCircle, "Self-test passed",
            count_text(test->plans) + " plans give equal results", frame.theme.ok};
  std::string problem = test->problem.empty()
                            ? count_text(test->plans - test->equal) + " plans give other results"
                            : test->problem;
  return {icon::kAlertCircle, "Self-test failed", std::move(problem), frame.theme.bad};
}

std::vector<Fact> facts_of(const Frame& frame) {
  const MachineFacts& machine = frame.shell.machine;
  const ImVec4& quiet = frame.theme.text2;
  std::vector<Fact> facts;
  if (!machine.device.empty()) {
    facts.push_back(
        {icon::kChip, machine.device,
         machine.is_gpu ? short_bytes_text(machine.device_free_bytes) + " free" : "trains here",
         quiet});
  }
  if (machine.memory_total_bytes > 0) {
    facts.push_back({icon::kMemory, short_bytes_text(machine.memory_total_bytes) + " memory",
                     short_bytes_text(machine.memory_free_bytes) + " free", quiet});
  }
  if (machine.disk_free_bytes > 0) {
    facts.push_back({icon::kHarddisk, short_bytes_text(machine.disk_free_bytes) + " disk",
                     "free for runs", quiet});
  }
  facts.push_back(self_test_fact(frame));
  return facts;
}

void draw_facts(const Frame& frame, const ImVec2& at, float width) {
  const std::vector<Fact> facts = facts_of(frame);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float column = width / static_cast<float>(facts.size());
  const TextStyle title{.size = FontSize::kTable, .weight = Weight::medium};
  const TextStyle note{.size = FontSize::kLabel, .colour = frame.theme.text3};
  float x = at.x;
  for (const Fact& fact : facts) {
    draw_icon(frame, list, {x + frame.px(14), at.y + frame.px(18)}, fact.icon, 22, fact.colour);
    const float left = x + frame.px(34);
    const float room = column - frame.px(42);
    draw_text(frame, list, {left, at.y + frame.px(2)}, elided(frame, fact.title, title, room),
              title);
    draw_text(frame, list, {left, at.y + frame.px(19)}, elided(frame, fact.note, note, room), note);
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::Dummy({column, frame.px(kFactsHeight)});
    tooltip(frame, text_size(frame, fact.note, note).x > room ? fact.note : "");
    x += column;
  }
  const Fact test = self_test_fact(frame);
  frame.record("start/self_test", at, {at.x + width, at.y + frame.px(kFactsHeight)}, true,
               test.title + ": " + test.note);
}

/// Sizes in pixels; the picture gives way first, then the cards stand below each other.
struct Arrangement {
  float column = 0, card = 0;
  bool is_row = true;
  float picture = 0, top = 0, gap = 0, height = 0;
};

Arrangement arrange(const Frame& frame, const ImVec2& size) {
  Arrangement a;
  const float margin = frame.px(24);
  const float room = std::max(frame.px(120), size.x - 2 * margin);
  a.column = std::min(room, frame.px(3 * kCardWidth + 2 * kCardGap));
  a.card = (a.column - frame.px(2 * kCardGap)) / 3;
  a.is_row = a.card >= frame.px(kLeastCardWidth);
  if (!a.is_row) a.card = std::min(a.column, frame.px(kCardWidth));
  const float cards = a.is_row ? frame.px(kCardHeight) : frame.px(3 * kCardHeight + 2 * kCardGap);
  a.gap = frame.px(size.y >= frame.px(860) ? 36 : 20);
  const float others = frame.px(FontSize::kHeadline + 10 + 18) + cards +
                       frame.px(kDropHeight + kFactsHeight) + 5 * a.gap;
  a.picture = std::clamp(size.y - others - a.gap, 0.0F, frame.px(304));
  if (a.picture < frame.px(80)) a.picture = 0;
  a.height = others + a.picture + (a.picture > 0 ? a.gap : 0);
  a.top = std::max(0.0F, (size.y - a.height) / 2) + a.gap;
  return a;
}

void draw_words(const Frame& frame, float centre, float& y, float width) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  TextStyle headline{.size = FontSize::kHeadline, .weight = Weight::semibold};
  constexpr std::string_view kHeadline = "Train at full resolution, in the memory you have";
  if (text_size(frame, kHeadline, headline).x > width) headline.size = FontSize::kFigure;
  draw_text(frame, list, {centre, y}, elided(frame, kHeadline, headline, width), headline,
            Align::centre);
  y += frame.px(FontSize::kHeadline + 10);
  const TextStyle words{.size = FontSize::kBody, .colour = frame.theme.text2};
  draw_text(frame, list, {centre, y},
            elided(frame, "Images and masks in a folder are enough to begin.", words, width), words,
            Align::centre);
  y += frame.px(18);
}

std::optional<std::size_t> draw_cards(const Frame& frame, const Arrangement& a,
                                      const std::array<Card, 3>& cards, ImVec2 at) {
  std::optional<std::size_t> pressed;
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (draw_card(frame, cards[i], at, a.card, i == 0)) pressed = i;
    (a.is_row ? at.x : at.y) +=
        a.is_row ? a.card + frame.px(kCardGap) : frame.px(kCardHeight + kCardGap);
  }
  return pressed;
}

std::optional<std::size_t> pressed_shortcut(const std::array<Card, 3>& cards) {
  if (ImGui::GetIO().WantTextInput ||
      ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel)) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (cards[i].refusal.empty() && ImGui::IsKeyChordPressed(cards[i].chord)) return i;
  }
  return std::nullopt;
}

}  // namespace

void draw_first_start(const Frame& frame) {
  ImGui::BeginChild("##scrolled", {0, 0}, ImGuiChildFlags_NavFlattened);
  const ImVec2 size = ImGui::GetContentRegionAvail();
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const Arrangement a = arrange(frame, size);
  const float centre = origin.x + size.x / 2;
  const float left = centre - a.column / 2;
  float y = origin.y + a.top;
  if (a.picture > 0) {
    draw_u_illustration(frame, *ImGui::GetWindowDrawList(), {left, y},
                        {left + a.column, y + a.picture});
    y += a.picture + a.gap;
  }
  draw_words(frame, centre, y, a.column);
  y += a.gap;
  const std::array<Card, 3> cards = cards_of(frame);
  const float cards_left = a.is_row ? left : centre - a.card / 2;
  std::optional<std::size_t> taken = draw_cards(frame, a, cards, {cards_left, y});
  y += (a.is_row ? frame.px(kCardHeight) : frame.px(3 * kCardHeight + 2 * kCardGap)) +
       std::min(a.gap, frame.px(24));
  draw_drop_hint(frame, {left, y}, a.column);
  y += frame.px(kDropHeight) + a.gap;
  draw_facts(frame, {left, y}, a.column);
  ImGui::SetCursorScreenPos({left, y + frame.px(kFactsHeight)});
  ImGui::Dummy({1, a.gap / 2});
  if (!taken.has_value()) taken = pressed_shortcut(cards);
  if (taken.has_value()) take(frame, *taken);
  ImGui::EndChild();
}

}  // namespace headroom::ui
