#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>
#include <torch/csrc/autograd/engine.h>
#include <torch/csrc/autograd/saved_variable.h>

#include <algorithm>
#include <string>
#include <vector>

#include "core/memory/checkpoint.hpp"
#include "core/memory/cpu_meter.hpp"
#include "core/train/generated_task.hpp"
#include "core/train/precision.hpp"
#include "models/unet.hpp"
#include "tools/engine_figures/allocation_script.hpp"
#include "tools/engine_figures/paired.hpp"
#include "tools/engine_figures/parts.hpp"

namespace headroom {
namespace {

using torch::autograd::Engine;

/// The one that install_runtime() installed; asked for the first time before another is.
Engine& checkpoint_engine() {
  static Engine& engine = Engine::get_default_engine();
  return engine;
}

/// LibTorch's own, which notes how many tensors are saved.
class CountingEngine final : public Engine {
 public:
  std::unique_ptr<torch::autograd::SavedVariableHooks> get_default_saved_variable_hooks() override {
    ++saved;
    return nullptr;
  }
  std::int64_t saved = 0;

  static CountingEngine& instance() {
    // Never destroyed: an engine's threads may outlive main.
    static auto* engine = new CountingEngine;
    return *engine;
  }
  static Engine& stub() { return instance(); }
};

/// LibTorch's engine of the process for a scope; the checkpointing one afterwards.
class OtherEngine {
 public:
  explicit OtherEngine(torch::autograd::EngineStub stub) {
    static_cast<void>(checkpoint_engine());
    torch::autograd::set_default_engine_stub(stub);
  }
  ~OtherEngine() { torch::autograd::set_default_engine_stub(&checkpoint_engine); }
  OtherEngine(const OtherEngine&) = delete;
  OtherEngine& operator=(const OtherEngine&) = delete;
};

/// What a step of Keep does, and how long it takes.
struct StepFacts {
  double seconds = 0;
  std::int64_t saved_tensors = 0;
  AllocationScript allocations;
};

StepFacts facts_of_step(const base::Settings& settings, std::int64_t repeats) {
  train::GeneratedTask task(settings, models::make_model);
  std::int64_t number = 0;
  static_cast<void>(task.step(++number, {}));
  const std::int64_t saved_before = CountingEngine::instance().saved;
  {
    const OtherEngine counting(&CountingEngine::stub);
    static_cast<void>(task.step(++number, {}));
  }
  constexpr std::size_t kMostEvents = 100'000;
  memory::cpu_meter().begin_recording(kMostEvents);
  static_cast<void>(task.step(++number, {}));
  const memory::MeterRecording recording = memory::cpu_meter().end_recording();
  std::vector<double> seconds;
  for (std::int64_t i = 0; i < repeats; ++i) {
    seconds.push_back(task.step(++number, {}).measured.total_seconds);
  }
  return {median(seconds), CountingEngine::instance().saved - saved_before,
          AllocationScript(recording.events)};
}

constexpr std::int64_t kSavesInARow = 2000;

/// Saves a tensor for backward and takes it back, many times.
void save_many(const at::Tensor& tensor) {
  for (std::int64_t i = 0; i < kSavesInARow; ++i) {
    const torch::autograd::SavedVariable saved(tensor, /*is_output=*/false);
    static_cast<void>(saved.unpack());
  }
}

struct SaveNanoseconds {
  PairedSeconds idle;   ///< no scope is open, against LibTorch's engine
  PairedSeconds keeps;  ///< a scope is open, no region is: stages that keep in a mixed plan
};

SaveNanoseconds time_saves(std::int64_t pairs) {
  const at::Tensor tensor = at::zeros({1, 4, 2, 2});
  const auto plain = [&tensor] {
    const OtherEngine own(&Engine::get_base_engine);
    save_many(tensor);
  };
  const auto in_scope = [&tensor] {
    const memory::ForwardScope scope;
    save_many(tensor);
  };
  const auto as_nanoseconds = [](PairedSeconds seconds) {
    constexpr double kFactor = 1e9 / static_cast<double>(kSavesInARow);
    return PairedSeconds{seconds.first * kFactor, seconds.second * kFactor,
                         seconds.difference * kFactor};
  };
  return {
      as_nanoseconds(time_in_turns(
          pairs, [&tensor] { save_many(tensor); }, plain)),
      as_nanoseconds(time_in_turns(pairs, in_scope, plain)),
  };
}

double percent_of_step(double nanoseconds, std::int64_t count, const StepFacts& step) {
  return 100 * nanoseconds * 1e-9 * static_cast<double>(count) / step.seconds;
}

/// Less than the plain thing takes is no cost.
double above_zero(double value) { return std::max(value, 0.0); }

void add_costs(Figures& figures, const base::Settings& settings, const SaveNanoseconds& saves,
               const PartOptions& options) {
  const StepFacts step = facts_of_step(settings, options.is_quick ? 1 : 9);
  const std::string precision = train::name_of(settings.step.precision);
  const auto add = [&](const std::string& what, double value, const std::string& unit,
                       std::optional<double> bar = std::nullopt) {
    figures.push_back({.part = "cost",
                       .what = precision + ": " + what,
                       .value = value,
                       .unit = unit,
                       .bar = bar});
  };
  add("step of Keep", step.seconds * 1e3, "ms");
  add("saved tensors of a step", static_cast<double>(step.saved_tensors), "");
  const double saved_percent =
      percent_of_step(above_zero(saves.idle.difference), step.saved_tensors, step);

  c10::Allocator& own = *c10::GetDefaultCPUAllocator();
  const PairedSeconds replays = time_in_turns(
      options.is_quick ? 11 : 201, [&] { step.allocations.replay(memory::cpu_meter()); },
      [&] { step.allocations.replay(own); });
  const auto count = static_cast<double>(step.allocations.allocations());
  add("allocations of a step", count, "");
  add("metered allocation and free", replays.first * 1e9 / count, "ns");
  add("LibTorch's own allocation and free", replays.second * 1e9 / count, "ns");
  const double allocated_percent = 100 * above_zero(replays.difference) / step.seconds;
  add("engine above LibTorch's, share of a step", saved_percent, "%");
  add("metered allocation above LibTorch's, share of a step", allocated_percent, "%");
  add("both, no region active, share of a step", saved_percent + allocated_percent, "%", 0.5);
  add("meter with its allocator, share of a step", 100 * replays.first / step.seconds, "%", 1.0);
}

}  // namespace

Figures measure_costs(const PartOptions& options) {
  Figures figures;
  const SaveNanoseconds saves = time_saves(options.is_quick ? 11 : 401);
  const auto add = [&figures](const std::string& what, double value) {
    figures.push_back({.part = "cost", .what = what, .value = value, .unit = "ns"});
  };
  add("saved tensor, LibTorch's engine", saves.idle.second);
  add("saved tensor, checkpointing engine, no scope open", saves.idle.first);
  add("saved tensor, checkpointing engine, scope open, no region", saves.keeps.first);
  add("engine's part of a saved tensor, no scope open", saves.idle.difference);
  base::Settings settings = reference_settings(options);
  add_costs(figures, settings, saves, options);
  settings.step.precision = base::Precision::bf16;
  add_costs(figures, settings, saves, options);
  return figures;
}

}  // namespace headroom
