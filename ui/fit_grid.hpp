#pragma once
// The map of What fits: batches by sides, coloured by time per megapixel. Drawn by hand; the UI
// thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/run/plan_forecast.hpp"
#include "ui/frame.hpp"

namespace headroom::ui {

/// Steps of this size ran, or were tried.
struct MeasuredFit {
  plan::BatchShape shape{};
  std::int64_t peak_bytes = 0;
  double step_seconds = 0;     ///< 0: not known
  bool fits = true;            ///< else memory ran out
  bool by_other_plan = false;  ///< than the one that the map has for this size
};

struct FitGridContent {
  const run::FitForecast& fits;
  std::vector<MeasuredFit> measured{};
  std::optional<plan::BatchShape> chosen{};
};

/// What was done to a cell in this frame; null: to none.
struct FitGridTouch {
  const plan::FitCell* pressed = nullptr;
  const plan::FitCell* double_clicked = nullptr;
};

/// "Batch 2, 1 024 px".
[[nodiscard]] std::string shape_text(const plan::BatchShape& shape);
/// Milliseconds per million pixels of the batch; 0 where it does not fit.
[[nodiscard]] double ms_per_megapixel(const plan::FitCell& cell);
/// The cell of a size; null: the map has none.
[[nodiscard]] const plan::FitCell* cell_of(const plan::FitMap& map, const plan::BatchShape& shape);
/// What was measured of a size; null: nothing.
[[nodiscard]] const MeasuredFit* measured_of(const std::vector<MeasuredFit>& measured,
                                             const plan::BatchShape& shape);

/// Fills `width` x `height` pixels at the cursor, scale and legend included, and advances it.
[[nodiscard]] FitGridTouch draw_fit_grid(const Frame& frame, const FitGridContent& content,
                                         float width, float height);

}  // namespace headroom::ui
