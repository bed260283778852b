#pragma once
// The mapping of an open data folder while a person edits it: what each mask value becomes, the
// names of the classes, and undo. The data changes only when the result is applied. No drawing; the
// UI thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/base/class_mapping.hpp"
#include "core/base/image.hpp"

namespace headroom::ui {

/// What a mapping makes of a mask value: a class id or base::kIgnoreLabel; nothing where it does
/// not say. A grey colour may be listed by its value.
[[nodiscard]] std::optional<std::uint8_t> label_of(const base::ClassMapping& mapping,
                                                   const base::MaskKey& key);

class MappingEdit {
 public:
  MappingEdit() = default;
  /// `keys`: what the masks hold.
  MappingEdit(base::ClassMapping applied, std::vector<base::MaskKey> keys);

  [[nodiscard]] const base::ClassMapping& mapping() const { return now_; }
  [[nodiscard]] std::optional<std::uint8_t> label_of(const base::MaskKey& key) const {
    return ui::label_of(now_, key);
  }
  /// Whether `key` becomes something else than in the data as it was read.
  [[nodiscard]] bool is_changed(const base::MaskKey& key) const;
  [[nodiscard]] bool is_changed() const { return now_ != applied_; }
  /// Steps that undo would take back.
  [[nodiscard]] std::size_t steps() const { return before_.size(); }

  /// `label`: a class that there is, or base::kIgnoreLabel.
  void set_label(const base::MaskKey& key, std::uint8_t label);
  /// A class that was not there; nothing where there are kMaxClasses.
  void set_new_class(const base::MaskKey& key);
  void rename(std::uint8_t id, std::string name);
  /// 0 becomes the background, every other value one class: what masks mean that number objects.
  void take_as_objects();
  void undo();
  void redo();
  [[nodiscard]] bool can_redo() const { return !after_.empty(); }

  /// Why it cannot be applied; empty: it can.
  [[nodiscard]] std::string problem() const;
  /// With ids from 0 without gaps: classes that nothing becomes are left out.
  [[nodiscard]] base::ClassMapping result() const;

 private:
  void change(base::ClassMapping next);
  [[nodiscard]] std::vector<bool> used_classes() const;

  base::ClassMapping applied_{}, now_{};
  std::vector<base::MaskKey> keys_{};
  std::vector<base::ClassMapping> before_{}, after_{};
};

}  // namespace headroom::ui
