#include "ui/label_reading.hpp"

#include <fmt/format.h>

#include "ui/number_text.hpp"

namespace headroom::ui {

std::string label_name(std::span<const std::string> names, const base::LabelImage& labels,
                       std::int64_t x, std::int64_t y) {
  const std::int64_t index = y * labels.width + x;
  if (x >= labels.width || index < 0 || index >= std::ssize(labels.labels)) return kNone;
  const std::uint8_t id = labels.labels[static_cast<std::size_t>(index)];
  if (id == base::kIgnoreLabel) return "ignored";
  return id < names.size() ? names[id] : fmt::format("class {}", id);
}

}  // namespace headroom::ui
