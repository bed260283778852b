// The meter against a second count: an allocator between LibTorch and the meter keeps its own books
// of every block, while the real network trains under random plans.

#include <ATen/ATen.h>
#include <c10/core/CPUAllocator.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <random>
#include <unordered_map>
#include <vector>

#include "core/memory/cpu_meter.hpp"
#include "core/train/model_setup.hpp"
#include "core/train/train_step.hpp"
#include "models/unet.hpp"

namespace headroom::models {
namespace {

using memory::MeterRecording;
using plan::Policy;

constexpr std::size_t kSlots = 8;  ///< no stage, five stages, the head, and one that stays empty
using ByStage = std::array<std::int64_t, kSlots>;

std::size_t slot_of(int stage) { return static_cast<std::size_t>(stage + 1); }

/// LibTorch's allocator for as long as it lives. Blocks come from the meter.
class Ledger final : public c10::Allocator {
 public:
  /// All books right after an allocation or a free.
  struct Entry {
    std::int64_t bytes = 0;  ///< of the block; below 0: freed
    plan::Phase phase = plan::Phase::data;
    ByStage live_by_stage{};
    std::int64_t metered_bytes = 0;  ///< what the meter says is live
  };

  Ledger() : live_before_(memory::cpu_meter().reading().live_bytes) {
    current() = this;
    c10::SetCPUAllocator(this, 1);
  }
  ~Ledger() override {
    c10::SetCPUAllocator(&memory::cpu_meter(), 1);
    current() = nullptr;
  }
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  c10::DataPtr allocate(std::size_t bytes) override {
    c10::DataPtr block = memory::cpu_meter().allocate(bytes);
    void* const data = block.release_context();
    if (data != nullptr) {
      const memory::MeterMarks marks = memory::thread_marks();
      blocks_[data] = {static_cast<std::int64_t>(bytes), marks};
      enter(static_cast<std::int64_t>(bytes), marks);
    }
    return {data, data, &Ledger::release, c10::Device(c10::kCPU)};
  }
  [[nodiscard]] c10::DeleterFnPtr raw_deleter() const override { return &Ledger::release; }
  void copy_data(void* to, const void* from, std::size_t bytes) const override {
    default_copy_data(to, from, bytes);
  }

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  [[nodiscard]] const ByStage& live_by_stage() const { return live_by_stage_; }
  [[nodiscard]] std::int64_t live_before() const { return live_before_; }
  void begin_page() { entries_.clear(); }

 private:
  struct Block {
    std::int64_t bytes;
    memory::MeterMarks marks;
  };

  static Ledger*& current() {
    static Ledger* ledger = nullptr;
    return ledger;
  }

  static void release(void* data) {
    if (data == nullptr) return;
    memory::cpu_meter().raw_deleter()(data);
    Ledger* const ledger = current();
    const auto found = ledger->blocks_.find(data);
    const Block block = found->second;
    ledger->blocks_.erase(found);
    ledger->enter(-block.bytes, block.marks);
  }

  void enter(std::int64_t bytes, memory::MeterMarks marks) {
    live_by_stage_.at(slot_of(marks.stage)) += bytes;
    entries_.push_back(
        {bytes, marks.phase, live_by_stage_, memory::cpu_meter().reading().live_bytes});
  }

  std::int64_t live_before_;
  std::unordered_map<void*, Block> blocks_{};
  ByStage live_by_stage_{};
  std::vector<Entry> entries_{};
};

data::HostBatch example_batch() {
  data::HostBatch batch{.batch = 2, .height = 32, .width = 32, .channels = 3};
  for (std::int64_t i = 0; i < 2 * 32 * 32 * 3; ++i) {
    batch.pixels.push_back(static_cast<float>(std::sin(0.1 * static_cast<double>(i))));
  }
  for (std::int64_t i = 0; i < 2 * 32 * 32; ++i) {
    batch.labels.push_back(static_cast<std::uint8_t>(i / 7 % 2));
  }
  return batch;
}

plan::Plan random_plan(std::mt19937& random, std::size_t stages) {
  constexpr std::array<Policy, 3> kPolicies = {Policy::keep, Policy::light, Policy::full};
  plan::Plan plan;
  for (std::size_t s = 0; s < stages; ++s) plan.push_back(kPolicies.at(random() % 3));
  return plan;
}

/// The recording says what the ledger says: the same blocks in the same order, and after each the
/// same bytes for every stage, which add up to what is live.
void expect_agreement(const MeterRecording& recording, const Ledger& ledger,
                      const ByStage& at_begin) {
  ASSERT_TRUE(recording.is_complete);
  ASSERT_EQ(recording.events.size(), ledger.entries().size());
  ByStage grown{};
  for (std::size_t i = 0; i < recording.events.size(); ++i) {
    const memory::MeterEvent& event = recording.events[i];
    const Ledger::Entry& entry = ledger.entries()[i];
    ASSERT_EQ(event.bytes, entry.bytes) << i;
    ASSERT_EQ(event.phase, entry.phase) << i;
    grown.at(slot_of(event.stage)) += event.bytes;
    std::int64_t live = ledger.live_before();
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      ASSERT_EQ(at_begin[slot] + grown[slot], entry.live_by_stage[slot]) << i;
      live += entry.live_by_stage[slot];
    }
    ASSERT_EQ(entry.metered_bytes, live) << i;
  }
}

void train_under_random_plans(base::Precision precision) {
  Ledger ledger;
  base::Settings settings;
  settings.model = {.levels = 3, .base_channels = 4};
  settings.model.dropout = 0.1;
  settings.model.channels = 3;
  settings.model.classes = 2;
  at::manual_seed(1);
  const auto model = make_model(settings.model);
  model->train();
  train::Optimizer optimizer(train::named_parameters(*model),
                             train::optimizer_options(settings.train));
  train::TrainStep step(*model, optimizer, {.precision = precision, .accumulate = 2});
  std::mt19937 random(5);
  for (std::int64_t number = 1; number <= 25; ++number) {
    model->set_plan(random_plan(random, model->stages().size()));
    SCOPED_TRACE(plan::to_string(model->plan(), model->stage_names()));
    ledger.begin_page();
    const ByStage at_begin = ledger.live_by_stage();
    memory::cpu_meter().begin_recording(std::size_t{1} << 16);
    const auto result = step.run(
        number, 1e-3, [](std::int64_t, const std::stop_token&) { return example_batch(); }, {});
    const MeterRecording recording = memory::cpu_meter().end_recording();
    EXPECT_GT(recording.events.size(), 500U);
    expect_agreement(recording, ledger, at_begin);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(MeterEvents_Of25RandomPlansInFp32, AgreeWithASecondCountAtEveryEvent) {
  train_under_random_plans(base::Precision::fp32);
}

TEST(MeterEvents_Of25RandomPlansInBf16, AgreeWithASecondCountAtEveryEvent) {
  train_under_random_plans(base::Precision::bf16);
}

}  // namespace
}  // namespace headroom::models
