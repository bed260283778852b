#include "app/budget_fit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "core/base/byte_size.hpp"

namespace headroom::app {
namespace {

constexpr std::int64_t kMarginDivisor = 200;

std::string remedy_for(const plan::StepCosts& costs, const plan::BatchShape& shape,
                       const plan::FitLimits& limits) {
  std::string remedy;
  if (const auto square = plan::largest_square(costs, shape.batch, limits);
      square && square->shape.height < std::max(shape.height, shape.width)) {
    remedy += fmt::format("--tile {}, ", square->shape.height);
  }
  if (const auto fewer = fewer_tiles_at_once(costs, shape, limits))
    remedy += fmt::format("--batch {}, ", fewer->shape.batch);
  if (remedy.empty()) remedy = "fewer --base-channels or --levels, ";
  return fmt::format("Try {}or a larger --budget", remedy);
}

std::string reserve_text(const plan::FitLimits& limits) {
  if (limits.reserve_bytes == 0) return "";
  return fmt::format(" with {} of it in reserve", base::format_bytes(limits.reserve_bytes));
}

}  // namespace

plan::FitLimits limits_of(std::int64_t budget_bytes, std::int64_t reserve_bytes) {
  return {.budget_bytes = budget_bytes,
          .reserve_bytes = reserve_bytes,
          .margin_bytes = (budget_bytes - reserve_bytes) / kMarginDivisor};
}

plan::BatchShape shape_of(const base::StepSettings& settings) {
  return {.batch = settings.batch, .height = settings.tile_height, .width = settings.tile_width};
}

std::optional<plan::FitCell> fewer_tiles_at_once(const plan::StepCosts& costs,
                                                 plan::BatchShape shape,
                                                 const plan::FitLimits& limits) {
  while (shape.batch > 1) {
    shape.batch /= 2;
    plan::FitCell cell = plan::fit_cell(costs, shape, limits);
    if (cell.fits()) return cell;
  }
  return std::nullopt;
}

std::int64_t keep_bytes_bound(const base::Settings& settings) {
  // Of an output's size a stage keeps up to five tensors and backward holds up to ten more: for an
  // encoder and a decoder stage 20 tensors, and as many again for all coarser levels, each of which
  // has half the values of the one above it. A value has four bytes.
  constexpr double kPerChannel = 160, kPerClass = 64, kPerParameter = 32;
  // Weights of 3x3 convolutions are at most this many times the square of the coarsest channels.
  constexpr double kParameters = 64;
  const base::ModelSettings& model = settings.model;
  const plan::BatchShape shape = shape_of(settings.step);
  const auto pixels = static_cast<double>(
      plan::padded_pixels(shape.batch, shape.height, shape.width, std::int64_t{1} << model.levels));
  const auto base_channels = static_cast<double>(model.base_channels);
  const double coarsest = std::ldexp(base_channels, static_cast<int>(model.levels - 1));
  const double bytes = pixels * (kPerChannel * base_channels +
                                 kPerClass * static_cast<double>(model.classes + model.channels)) +
                       kPerParameter * kParameters * coarsest * coarsest;
  return static_cast<std::int64_t>(std::min(bytes, 0x1p62));
}

base::Error no_plan_fits(const plan::StepCosts& costs, const plan::BatchShape& shape,
                         const plan::FitLimits& limits) {
  const auto least = plan::fit_cell(costs, shape, limits).least_bytes;
  return {base::ErrorKind::out_of_memory,
          {.attempted = "choosing a plan for the training step",
           .subject = fmt::format(
               "no plan fits tile {}x{}, batch {}: the least needs {}, the budget is {}{}",
               shape.height, shape.width, shape.batch, base::format_bytes(least.value_or(0)),
               base::format_bytes(limits.budget_bytes), reserve_text(limits)),
           .remedy = remedy_for(costs, shape, limits)}};
}

}  // namespace headroom::app
