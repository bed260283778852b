#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "app/budget_fit.hpp"
#include "app/commands.hpp"
#include "app/console.hpp"
#include "app/fit_check.hpp"
#include "app/planning.hpp"
#include "app/progress.hpp"
#include "app/signal_watch.hpp"
#include "app/text.hpp"
#include "core/base/byte_size.hpp"
#include "core/base/elapsed.hpp"
#include "core/base/error.hpp"
#include "core/base/json_text.hpp"
#include "core/base/text_number.hpp"
#include "core/train/device.hpp"

namespace headroom::app {
namespace {

struct FitAnswer {
  Planning planning{};
  plan::FitMap map{};
  std::vector<plan::FitCell> widest{};       ///< [batches, heights]
  std::map<std::size_t, FitCheck> checks{};  ///< by the batch's index in the map
  double seconds = 0;                        ///< map and checks, without the calibration

  [[nodiscard]] const FitCheck* check_of(std::size_t batch) const {
    const auto found = checks.find(batch);
    return found == checks.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool is_verified(std::size_t batch) const {
    const FitCheck* check = check_of(batch);
    return check != nullptr && check->verified.has_value();
  }
  [[nodiscard]] std::string plan_text(const plan::FitCell& cell) const {
    return plan::to_string(cell.cheapest.value().plan, planning.calibration.costs.stages);
  }
};

/// Whole numbers from 1 to `most`, as given to `flag`.
std::vector<std::int64_t> parse_counts(const char* flag, const std::string& text,
                                       std::int64_t most) {
  std::vector<std::int64_t> counts;
  for (const std::string& part : split_list(text)) {
    const auto count = base::parse_integer(part);
    if (!count || *count < 1 || *count > most)
      throw base::Error(
          base::ErrorKind::usage,
          {.attempted = "reading the command line",
           .subject = fmt::format("{} {}", flag, text),
           .remedy = fmt::format("Give numbers from 1 to {}, as in {} 1,2,4", most, flag)});
    counts.push_back(*count);
  }
  return counts;
}

std::int64_t parse_reserve(const std::string& text) {
  if (text.empty()) return 0;
  if (const auto bytes = base::parse_byte_size(text); bytes && *bytes >= 0) return *bytes;
  throw base::Error(base::ErrorKind::usage, {.attempted = "reading the command line",
                                             .subject = "--reserve " + text,
                                             .remedy = "Give a size, as in --reserve 500MiB"});
}

/// Throws the reason why nothing fits, of the smallest batch and tile.
void require_any(const FitAnswer& answer) {
  const auto& largest = answer.map.largest;
  if (std::ranges::any_of(largest, [](const auto& cell) { return cell.has_value(); })) return;
  const plan::StepCosts& costs = answer.planning.calibration.costs;
  throw no_plan_fits(costs,
                     {.batch = std::ranges::min(answer.map.batches),
                      .height = costs.stride,
                      .width = costs.stride},
                     answer.planning.limits);
}

/// Indices of the batches whose largest tile has the most pixels in its batch, at most `count`.
std::vector<std::size_t> largest_cells(const plan::FitMap& map, std::int64_t count) {
  std::vector<std::size_t> indices;
  for (std::size_t b = 0; b < map.batches.size(); ++b)
    if (map.largest[b]) indices.push_back(b);
  std::ranges::stable_sort(indices, std::greater<>(), [&map](std::size_t b) {
    const plan::BatchShape& shape = map.largest[b]->shape;
    return shape.batch * shape.height * shape.width;
  });
  indices.resize(std::min(indices.size(), static_cast<std::size_t>(count)));
  return indices;
}

void require_free_memory(const Planning& planning) {
  const auto device = train::resolve_device(planning.settings.step.device);
  const std::int64_t free_bytes = train::memory_of(device).available_bytes;
  if (planning.limits.usable_bytes() <= free_bytes) return;
  throw base::Error(base::ErrorKind::usage,
                    {.attempted = "verifying what fits",
                     .subject = fmt::format("the budget is {}, free are {}",
                                            base::format_bytes(planning.limits.usable_bytes()),
                                            base::format_bytes(free_bytes)),
                     .remedy = "Give a smaller --budget, or leave --verify out"});
}

void verify(FitAnswer& answer, std::int64_t count, ProgressDisplay& display,
            const std::stop_token& stop) {
  require_free_memory(answer.planning);
  const FitCheckRequest request{.settings = answer.planning.settings,
                                .limits = answer.planning.limits,
                                .costs = answer.planning.calibration.costs};
  const std::vector<std::size_t> indices = largest_cells(answer.map, count);
  for (const std::size_t index : indices) {
    display.update(make_progress("verifying", std::ssize(answer.checks), std::ssize(indices)),
                   ProgressDisplay::Clock::now());
    FitCheck check = check_fit(request, *answer.map.largest[index], stop);
    if (check.verified) answer.map.largest[index] = check.verified;
    answer.checks[index] = std::move(check);
  }
}

std::vector<plan::FitCell> widest_tiles(const Planning& planning,
                                        const std::vector<std::int64_t>& batches,
                                        const std::vector<std::int64_t>& heights,
                                        const std::stop_token& stop) {
  std::vector<plan::FitCell> cells;
  for (const std::int64_t batch : batches) {
    for (const std::int64_t height : heights) {
      const plan::BatchShape none = {.batch = batch, .height = height, .width = 0};
      const auto widest =
          plan::widest_tile(planning.calibration.costs, batch, height, planning.limits, stop);
      cells.push_back(widest.value_or(plan::FitCell{.shape = none}));
    }
  }
  return cells;
}

// ---------------------------------------------------------------- text

std::string shape_text(const plan::BatchShape& shape) {
  return fmt::format("{}x{}", shape.height, shape.width);
}

std::vector<std::string> row_of(const FitAnswer& answer, std::size_t batch) {
  std::vector<std::string> row = {fmt::format("{}", answer.map.batches[batch])};
  const std::optional<plan::FitCell>& cell = answer.map.largest[batch];
  if (!cell) {
    row.emplace_back("none");
    return row;
  }
  const plan::StepPrediction& predicted = cell->cheapest->predicted;
  row.push_back(shape_text(cell->shape));
  row.push_back(letters_of(cell->cheapest->plan));
  row.push_back(format_step_time(predicted.seconds_per_step));
  row.push_back(base::format_bytes(predicted.peak_total_bytes));
  const FitCheck* check = answer.check_of(batch);
  if (check == nullptr) return row;
  if (check->verified) {
    row.push_back(base::format_bytes(check->measured_peak_bytes));
    row.push_back(error_text(static_cast<double>(predicted.peak_total_bytes),
                             static_cast<double>(check->measured_peak_bytes)));
  } else {
    row.emplace_back("does not run");
    row.emplace_back();
  }
  row.push_back(check->next_text);
  return row;
}

std::string largest_table(const FitAnswer& answer) {
  std::vector<std::vector<std::string>> rows = {
      {"batch", "largest tile", "plan", "predicted step", "predicted peak"}};
  if (!answer.checks.empty())
    for (const char* column : {"measured peak", "error", "next side"})
      rows.front().emplace_back(column);
  for (std::size_t b = 0; b < answer.map.batches.size(); ++b) {
    rows.push_back(row_of(answer, b));
    rows.back().resize(rows.front().size());
  }
  return format_table(rows);
}

std::string cell_text(const plan::FitCell& cell) {
  if (!cell.fits()) return "-";
  return fmt::format("{}  {}", format_step_time(cell.cheapest->predicted.seconds_per_step),
                     letters_of(cell.cheapest->plan));
}

/// A column for each batch.
std::vector<std::string> batch_header(const plan::FitMap& map, const char* first) {
  std::vector<std::string> header = {first};
  for (const std::int64_t batch : map.batches) header.push_back(fmt::format("batch {}", batch));
  return header;
}

std::string map_table(const plan::FitMap& map) {
  std::vector<std::vector<std::string>> rows = {batch_header(map, "side")};
  for (std::size_t s = 0; s < map.sides.size(); ++s) {
    rows.push_back({fmt::format("{}", map.sides[s])});
    for (std::size_t b = 0; b < map.batches.size(); ++b)
      rows.back().push_back(cell_text(map.cell(b, s)));
  }
  return format_table(rows);
}

std::string widest_table(const FitAnswer& answer) {
  const std::size_t batches = answer.map.batches.size();
  const std::size_t heights = answer.widest.size() / batches;
  std::vector<std::vector<std::string>> rows = {batch_header(answer.map, "height")};
  for (std::size_t h = 0; h < heights; ++h) {
    rows.push_back({fmt::format("{}", answer.widest[h].shape.height)});
    for (std::size_t b = 0; b < batches; ++b) {
      const plan::FitCell& cell = answer.widest[b * heights + h];
      rows.back().push_back(cell.fits() ? shape_text(cell.shape) + "  " + cell_text(cell) : "-");
    }
  }
  return format_table(rows);
}

std::string as_text(const FitAnswer& answer) {
  std::string text = heading(answer.planning, "");
  text += "peaks include weights, gradients, optimizer state and validation of a tile\n";
  text += letters_legend(answer.planning) + "\n\n";
  text += largest_table(answer);
  text += "\npredicted step and plan by side and batch; -: no plan fits\n" + map_table(answer.map);
  if (!answer.widest.empty())
    text += "\nwidest tile, predicted step and plan by height and batch\n" + widest_table(answer);
  text += '\n';
  for (std::size_t b = 0; b < answer.map.batches.size(); ++b) {
    const std::optional<plan::FitCell>& cell = answer.map.largest[b];
    const FitCheck* check = answer.check_of(b);
    if (!cell || (check != nullptr && !check->verified)) continue;
    text += fmt::format("--batch {} --tile {} --plan {}\n", cell->shape.batch, cell->shape.height,
                        answer.plan_text(*cell));
  }
  return text;
}

// ---------------------------------------------------------------- JSON

nlohmann::ordered_json cell_json(const FitAnswer& answer, const plan::FitCell& cell) {
  nlohmann::ordered_json object = {{"batch", cell.shape.batch},
                                   {"side", cell.shape.height},
                                   {"fits", cell.fits()},
                                   {"plan", nullptr},
                                   {"predicted_peak_bytes", nullptr},
                                   {"predicted_seconds_per_step", nullptr}};
  if (cell.fits()) {
    object["plan"] = answer.plan_text(cell);
    object["predicted_peak_bytes"] = cell.cheapest->predicted.peak_total_bytes;
    object["predicted_seconds_per_step"] = cell.cheapest->predicted.seconds_per_step;
  } else if (cell.least_bytes) {
    object["least_peak_bytes"] = *cell.least_bytes;
  }
  return object;
}

/// Cells of the map, then the largest of each batch.
nlohmann::ordered_json cells_json(const FitAnswer& answer) {
  nlohmann::ordered_json cells = nlohmann::ordered_json::array();
  for (const plan::FitCell& cell : answer.map.cells) {
    const bool is_largest = std::ranges::any_of(answer.map.largest, [&cell](const auto& largest) {
      return largest && largest->shape == cell.shape;
    });
    if (!is_largest) cells.push_back(cell_json(answer, cell));
  }
  for (std::size_t b = 0; b < answer.map.batches.size(); ++b) {
    if (!answer.map.largest[b]) continue;
    cells.push_back(cell_json(answer, *answer.map.largest[b]));
    if (answer.is_verified(b))
      cells.back()["measured_peak_bytes"] = answer.check_of(b)->measured_peak_bytes;
  }
  return cells;
}

nlohmann::ordered_json largest_json(const FitAnswer& answer) {
  nlohmann::ordered_json largest = nlohmann::ordered_json::array();
  for (std::size_t b = 0; b < answer.map.batches.size(); ++b) {
    if (!answer.map.largest[b]) continue;
    const FitCheck* check = answer.check_of(b);
    const plan::FitCell& cell = *answer.map.largest[b];
    largest.push_back({{"batch", cell.shape.batch},
                       {"side", cell.shape.height},
                       {"plan", answer.plan_text(cell)},
                       {"verified", answer.is_verified(b)}});
    if (check == nullptr) continue;
    largest.back()["next_side_fails"] = check->next_fails;
    largest.back()["next_side"] = check->next_text;
  }
  return largest;
}

nlohmann::ordered_json widest_json(const FitAnswer& answer) {
  nlohmann::ordered_json tiles = nlohmann::ordered_json::array();
  for (const plan::FitCell& cell : answer.widest) {
    nlohmann::ordered_json tile = cell_json(answer, cell);
    tile.erase("side");
    tile["height"] = cell.shape.height;
    tile["width"] = cell.shape.width;
    tiles.push_back(std::move(tile));
  }
  return tiles;
}

nlohmann::ordered_json as_json(const FitAnswer& answer) {
  std::int64_t probes = 0;
  for (const auto& [batch, check] : answer.checks) probes += check.probes;
  return {{"budget_bytes", answer.planning.limits.budget_bytes},
          {"reserve_bytes", answer.planning.limits.reserve_bytes},
          {"calibration_seconds", answer.planning.calibration.seconds},
          {"probes", probes},
          {"seconds", answer.seconds},
          {"cells", cells_json(answer)},
          {"largest", largest_json(answer)},
          {"widest", widest_json(answer)}};
}

}  // namespace

int perform(const FitCommand& command) {
  using Clock = std::chrono::steady_clock;
  constexpr std::int64_t kMostTiles = 65536;
  const std::int64_t most_side = plan::FitLimits{}.max_side;
  const auto batches = parse_counts("--batches", command.batches, kMostTiles);
  const auto sides = parse_counts("--sides", command.sides, most_side);
  std::vector<std::int64_t> heights;
  if (!command.heights.empty()) heights = parse_counts("--heights", command.heights, most_side);
  ProgressDisplay display(progress_style(command.output.quiet));
  std::stop_source stop;
  const SignalWatch watch([&stop] { stop.request_stop(); });
  FitAnswer answer{.planning = prepare_planning({.data = command.data,
                                                 .given = command.given,
                                                 .output = command.output,
                                                 .reserve_bytes = parse_reserve(command.reserve),
                                                 .recalibrate = command.recalibrate},
                                                display, stop.get_token())};
  const Clock::time_point begin = Clock::now();
  answer.map = plan::fit_map(answer.planning.calibration.costs, batches, sides,
                             answer.planning.limits, stop.get_token());
  require_any(answer);
  answer.widest = widest_tiles(answer.planning, batches, heights, stop.get_token());
  if (command.verify > 0) verify(answer, command.verify, display, stop.get_token());
  answer.seconds = base::seconds_between(begin, Clock::now());
  display.clear();
  write_output(command.output.json ? base::dump_json(as_json(answer), 2) + '\n' : as_text(answer));
  return 0;
}

}  // namespace headroom::app
