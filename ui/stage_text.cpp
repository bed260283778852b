#include "ui/stage_text.hpp"

#include <fmt/format.h>

#include "ui/number_text.hpp"

namespace headroom::ui {
namespace {

/// What is measured of the policy in force.
struct Measured {
  std::int64_t bytes = 0;
  double seconds = 0;
};
std::optional<Measured> measured_now(const StageFacts& stage) {
  if (const auto& own = stage.under(stage.policy)) return Measured{own->kept_bytes, own->seconds};
  if (stage.is_next || !stage.kept_bytes.has_value()) return std::nullopt;
  return Measured{*stage.kept_bytes, stage.seconds.value_or(0)};
}

}  // namespace

std::string stage_line(const StageFacts& stage) {
  std::string line = stage.name + ": " + plan::title_of(stage.policy);
  if (const std::optional<Measured> now = measured_now(stage)) {
    line += ", " + short_bytes_text(now->bytes) + ", " + time_text(now->seconds);
  } else if (stage.is_next) {
    line += " from the next step on";
  }
  return line;
}

std::string change_text(const StageFacts& stage, plan::Policy policy, bool with_time) {
  const std::optional<Measured> now = measured_now(stage);
  const auto& other = stage.under(policy);
  if (!now.has_value() || !other.has_value()) return kNotMeasured;
  const std::string bytes = short_bytes_change_text(other->kept_bytes - now->bytes);
  return with_time ? bytes + ", " + time_change_text(other->seconds - now->seconds) : bytes;
}

std::string measured_at_text(const StageFacts& stage, plan::Policy policy) {
  const auto& of = stage.under(policy);
  return of.has_value() ? "measured at step " + count_text(of->step) : std::string();
}

std::string size_text(const StageFacts& stage) {
  if (stage.channels <= 0 || stage.width <= 0) return {};
  return fmt::format("{} \xC3\x97 {}, {} channels", stage.width, stage.height, stage.channels);
}

std::string saved_text(const StageFacts& stage) {
  if (!stage.keep_bytes.has_value() || !stage.kept_bytes.has_value()) return kNone;
  const std::int64_t saved = *stage.keep_bytes - *stage.kept_bytes;
  return saved > 0 ? short_bytes_text(saved) : kNone;
}

}  // namespace headroom::ui
