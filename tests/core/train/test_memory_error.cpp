#include "core/train/memory_error.hpp"

#include <ATen/Functions.h>
#include <c10/util/Exception.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "tests/core/train/tiny_model.hpp"
#include "tests/support/thrown_error.hpp"

namespace headroom::train {
namespace {

class MemoryErrors : public testing::Test {
 protected:
  template <typename Refusal>
  [[nodiscard]] base::Error error_of(Refusal refusal) {
    return tests::thrown_error([&] {
             with_memory_errors({.attempted = "training",
                                 .model = *model_,
                                 .settings = settings_,
                                 .device = c10::kCPU,
                                 .number = 3},
                                [&] { refusal(); });
           })
        .value();
  }

  base::StepSettings settings_{};
  std::shared_ptr<StagedModel> model_ = tests::make_tiny_model({.classes = 2, .channels = 1});
};

/// Every form in which memory is refused: LibTorch's error, which is the same class for a CPU's
/// budget and a GPU, the standard library's, and what oneDNN and cuDNN say in words.
TEST_F(MemoryErrors, EveryFormOfRefusal_IsTheOneError) {
  const auto of_torch = [] { TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory."); };
  const auto of_library = [] { throw std::bad_alloc(); };
  const auto in_words = [] { throw std::runtime_error("cuDNN error: out of memory"); };
  const auto of_allocation = [] {
    memory::fail_allocation(1);
    static_cast<void>(at::empty({10}));
  };
  for (const base::Error& error :
       {error_of(of_torch), error_of(of_library), error_of(in_words), error_of(of_allocation)}) {
    EXPECT_EQ(error.kind(), base::ErrorKind::out_of_memory);
    EXPECT_EQ(error.parts().attempted, "training");
    EXPECT_THAT(error.parts().subject, testing::HasSubstr("step 3"));
    EXPECT_THAT(error.parts().remedy, testing::HasSubstr("--plan full"));
  }
}

TEST_F(MemoryErrors, OtherErrors_StayWhatTheyAre) {
  EXPECT_EQ(error_of([] {
              throw base::Error(base::ErrorKind::io, {"writing", "x", "free space"});
            }).kind(),
            base::ErrorKind::io);
  EXPECT_THROW(
      with_memory_errors(
          {.attempted = "training", .model = *model_, .settings = settings_, .device = c10::kCPU},
          [] { throw std::logic_error("wrong"); }),
      std::logic_error);
}

}  // namespace
}  // namespace headroom::train
