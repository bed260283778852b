#include "ui/mapping_edit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace headroom::ui {

using base::ClassMapping;
using base::kIgnoreLabel;
using base::MaskKey;

std::optional<std::uint8_t> label_of(const ClassMapping& mapping, const MaskKey& key) {
  if (const auto found = mapping.ids.find(key); found != mapping.ids.end()) return found->second;
  constexpr std::int64_t kGreyStep = 0x010101;
  if (key.is_colour && key.value % kGreyStep == 0) {
    const MaskKey grey{.is_colour = false, .value = key.value / kGreyStep};
    if (const auto found = mapping.ids.find(grey); found != mapping.ids.end()) return found->second;
  }
  return mapping.other;
}

MappingEdit::MappingEdit(ClassMapping applied, std::vector<MaskKey> keys)
    : applied_(std::move(applied)), now_(applied_), keys_(std::move(keys)) {}

bool MappingEdit::is_changed(const MaskKey& key) const {
  const auto before = ui::label_of(applied_, key), now = label_of(key);
  if (before != now) return true;
  if (!now || *now == kIgnoreLabel) return false;
  const auto name_in = [&](const ClassMapping& mapping) {
    return *now < mapping.class_names.size() ? mapping.class_names[*now] : std::string();
  };
  return name_in(applied_) != name_in(now_);
}

void MappingEdit::change(ClassMapping next) {
  if (next == now_) return;
  constexpr std::size_t kMostSteps = 256;
  if (before_.size() == kMostSteps) before_.erase(before_.begin());
  before_.push_back(std::exchange(now_, std::move(next)));
  after_.clear();
}

void MappingEdit::set_label(const MaskKey& key, std::uint8_t label) {
  if (label != kIgnoreLabel && label >= now_.class_names.size()) return;
  ClassMapping next = now_;
  next.ids[key] = label;
  change(std::move(next));
}

void MappingEdit::set_new_class(const MaskKey& key) {
  if (now_.classes() >= base::kMaxClasses) return;
  ClassMapping next = now_;
  const auto id = static_cast<std::uint8_t>(next.classes());
  next.class_names.push_back(fmt::format("class {}", id));
  next.ids[key] = id;
  change(std::move(next));
}

void MappingEdit::rename(std::uint8_t id, std::string name) {
  if (id >= now_.class_names.size() || name.empty()) return;
  ClassMapping next = now_;
  next.class_names[id] = std::move(name);
  change(std::move(next));
}

void MappingEdit::take_as_objects() {
  const bool is_colour = !keys_.empty() && keys_.front().is_colour;
  ClassMapping next;
  next.ids[{.is_colour = is_colour, .value = 0}] = 0;
  next.other = 1;
  next.class_names = {"background", "object"};
  change(std::move(next));
}

void MappingEdit::undo() {
  if (before_.empty()) return;
  after_.push_back(std::exchange(now_, std::move(before_.back())));
  before_.pop_back();
}

void MappingEdit::redo() {
  if (after_.empty()) return;
  before_.push_back(std::exchange(now_, std::move(after_.back())));
  after_.pop_back();
}

std::vector<bool> MappingEdit::used_classes() const {
  std::vector<bool> used(now_.class_names.size());
  const auto note = [&](std::optional<std::uint8_t> label) {
    if (label && *label < used.size()) used[*label] = true;
  };
  for (const auto& [key, label] : now_.ids) note(label);
  note(now_.other);
  return used;
}

std::string MappingEdit::problem() const {
  const auto unsaid =
      std::ranges::find_if(keys_, [&](const MaskKey& key) { return !label_of(key).has_value(); });
  if (unsaid != keys_.end())
    return fmt::format("Give the value {} a class, or ignore it.", to_string(*unsaid));
  const std::vector<bool> used = used_classes();
  if (std::ranges::count(used, true) < 2)
    return "Two classes at least: with one there is nothing to tell apart.";
  return {};
}

ClassMapping MappingEdit::result() const {
  const std::vector<bool> used = used_classes();
  ClassMapping result;
  std::vector<std::uint8_t> id_of(used.size(), kIgnoreLabel);
  for (std::size_t id = 0; id < used.size(); ++id) {
    if (!used[id]) continue;
    id_of[id] = static_cast<std::uint8_t>(result.classes());
    result.class_names.push_back(now_.class_names[id]);
  }
  const auto renumbered = [&](std::uint8_t label) {
    return label < id_of.size() ? id_of[label] : kIgnoreLabel;
  };
  for (const auto& [key, label] : now_.ids) result.ids[key] = renumbered(label);
  if (now_.other) result.other = renumbered(*now_.other);
  return result;
}

}  // namespace headroom::ui
