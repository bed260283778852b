#include <ATen/autocast_mode.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/rand.h>
#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "core/train/precision.hpp"

namespace headroom::train {
namespace {

using base::Precision;

TEST(Precision, CpuFlags_WithBf16Arithmetic_AreRecognised) {
  EXPECT_TRUE(names_bf16("flags\t\t: fpu avx512f avx512_bf16 rdpid"));
  EXPECT_TRUE(names_bf16("flags\t\t: fpu amx_bf16 amx_tile"));
  EXPECT_FALSE(names_bf16("flags\t\t: fpu avx512f avx512_vnni"));
}

TEST(Precision, Automatic_IsResolvedToOneThatIsComputed) {
  const auto resolved = resolve_precision(Precision::automatic, c10::kCPU);
  EXPECT_TRUE(resolved == Precision::bf16 || resolved == Precision::fp32);
}

TEST(Precision, Given_IsKept) {
  EXPECT_EQ(resolve_precision(Precision::bf16, c10::kCPU), Precision::bf16);
  EXPECT_EQ(resolve_precision(Precision::fp32, c10::kCPU), Precision::fp32);
}

TEST(Precision, Fp16_IsRefusedWithTheRemedy) {
  try {
    (void)resolve_precision(Precision::fp16, c10::kCPU);
    FAIL() << "nothing was thrown";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    EXPECT_NE(error.parts().remedy.find("bf16"), std::string::npos);
  }
}

TEST(Precision, MemoryFormat_AutomaticIsChannelsLast) {
  EXPECT_EQ(resolve_memory_format(base::MemoryFormat::automatic), c10::MemoryFormat::ChannelsLast);
  EXPECT_EQ(resolve_memory_format(base::MemoryFormat::contiguous), c10::MemoryFormat::Contiguous);
}

TEST(AutocastScope, Bf16_ComputesInItAndIsGoneAfterwards) {
  const auto image = at::rand({1, 2, 8, 8}), weight = at::rand({3, 2, 3, 3});
  {
    const AutocastScope scope(c10::kCPU, Precision::bf16);
    EXPECT_EQ(at::conv2d(image, weight).scalar_type(), at::kBFloat16);
  }
  EXPECT_FALSE(at::autocast::is_autocast_enabled(c10::kCPU));
  EXPECT_EQ(at::conv2d(image, weight).scalar_type(), at::kFloat);
}

TEST(AutocastScope, Fp32_ChangesNothing) {
  const AutocastScope scope(c10::kCPU, Precision::fp32);
  EXPECT_FALSE(at::autocast::is_autocast_enabled(c10::kCPU));
}

}  // namespace
}  // namespace headroom::train
