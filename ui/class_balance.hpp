#pragma once
// The panel Class balance: the share of labelled pixels that each class has, on a logarithmic
// scale, on both sides of the split. The UI thread.

#include <memory>
#include <vector>

#include "ui/data_folder.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

/// Shares of labelled pixels by class, 0 … 1; empty where the side has no pixel.
struct ClassShares {
  std::vector<double> training{}, validation{};
  std::vector<double> all{};
};
[[nodiscard]] ClassShares class_shares(const DataFolder& data);

/// The power of ten where the scale begins: at or below the smallest share that is not 0, -6 … -1.
[[nodiscard]] int first_decade(const ClassShares& shares);

/// The panel's own, kept from frame to frame.
struct ClassBalanceState {
  std::shared_ptr<const DataFolder> of{};
  ClassShares shares{};
};

/// Draws into the current window.
void draw_class_balance(const Frame& frame, ClassBalanceState& state);

}  // namespace headroom::ui
