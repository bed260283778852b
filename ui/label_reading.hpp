#pragma once
// Which class a pixel has, in words. Pure; any thread.

#include <cstdint>
#include <span>
#include <string>

#include "core/base/image.hpp"

namespace headroom::ui {

/// "vessel", "ignored", "class 7" for a class without a name; an en dash outside the labels.
[[nodiscard]] std::string label_name(std::span<const std::string> names,
                                     const base::LabelImage& labels, std::int64_t x,
                                     std::int64_t y);

}  // namespace headroom::ui
