#include <ATen/Parallel.h>
#include <gtest/gtest.h>
#include <torch/nn/functional/loss.h>

#include <cmath>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/memory/meter.hpp"
#include "core/train/loss_kernels.hpp"
#include "core/train/losses.hpp"

namespace headroom::train {
namespace {

using base::LossKind;
namespace functional = torch::nn::functional;

/// Labels of `classes` classes, about a fifth of them ignored.
at::Tensor random_labels(at::IntArrayRef shape, std::int64_t classes) {
  at::Tensor labels = at::randint(0, classes, shape, at::kByte);
  return labels.masked_fill_(at::rand(shape) < 0.2, base::kIgnoreLabel);
}

struct Differentiated {
  at::Tensor loss, gradient;
};

template <typename Loss>
Differentiated differentiate(const at::Tensor& logits, const Loss& loss_of) {
  at::Tensor leaf = logits.detach().clone().requires_grad_(true);
  at::Tensor loss = loss_of(leaf);
  loss.backward();
  return {loss.detach(), leaf.grad()};
}

Differentiated ours(const at::Tensor& logits, const at::Tensor& labels, LossKind kind) {
  return differentiate(logits,
                       [&](const at::Tensor& x) { return segmentation_loss(x, labels, kind); });
}

at::Tensor plain_cross_entropy(const at::Tensor& logits, const at::Tensor& labels) {
  return functional::cross_entropy(
      logits, labels.to(at::kLong),
      functional::CrossEntropyFuncOptions().ignore_index(base::kIgnoreLabel));
}

/// The formula as papers write it, with one-hot labels.
at::Tensor plain_dice(const at::Tensor& logits, const at::Tensor& labels) {
  const auto counts = labels.ne(base::kIgnoreLabel).unsqueeze(1).to(logits.scalar_type());
  const auto safe = labels.masked_fill(labels.eq(base::kIgnoreLabel), 0).to(at::kLong);
  const auto truth =
      at::one_hot(safe, logits.size(1)).permute({0, 3, 1, 2}).to(logits.scalar_type()) * counts;
  const auto predicted = logits.softmax(1) * counts;
  const auto intersection = (predicted * truth).sum({0, 2, 3});
  const auto total = predicted.sum({0, 2, 3}) + truth.sum({0, 2, 3});
  return 1 - ((2 * intersection + 1e-5) / (total + 1e-5)).mean();
}

void expect_close(const Differentiated& a, const Differentiated& b, double tolerance) {
  EXPECT_NEAR(a.loss.item<double>(), b.loss.item<double>(), tolerance);
  EXPECT_LE((a.gradient.to(at::kDouble) - b.gradient.to(at::kDouble)).abs().max().item<double>(),
            tolerance);
}

class LossByFormat : public testing::TestWithParam<at::MemoryFormat> {
 protected:
  at::Tensor logits_ = (at::randn({3, 5, 17, 23}) * 3).contiguous(GetParam());
  at::Tensor labels_ = random_labels({3, 17, 23}, 5);
};
INSTANTIATE_TEST_SUITE_P(Formats, LossByFormat,
                         testing::Values(at::MemoryFormat::Contiguous,
                                         at::MemoryFormat::ChannelsLast));

TEST_P(LossByFormat, CrossEntropy_WithIgnoredPixels_EqualsLibTorchs) {
  expect_close(
      ours(logits_, labels_, LossKind::ce),
      differentiate(logits_, [&](const auto& x) { return plain_cross_entropy(x, labels_); }), 2e-6);
}

TEST_P(LossByFormat, Dice_WithIgnoredPixels_EqualsOneHotFormula) {
  expect_close(ours(logits_, labels_, LossKind::dice),
               differentiate(logits_, [&](const auto& x) { return plain_dice(x, labels_); }), 2e-6);
}

TEST_P(LossByFormat, CeDice_Always_IsTheSumOfBoth) {
  expect_close(ours(logits_, labels_, LossKind::ce_dice),
               differentiate(logits_,
                             [&](const auto& x) {
                               return plain_cross_entropy(x, labels_) + plain_dice(x, labels_);
                             }),
               2e-6);
}

TEST_P(LossByFormat, Gradient_Always_HasTheLogitsFormat) {
  EXPECT_TRUE(ours(logits_, labels_, LossKind::ce_dice).gradient.is_contiguous(GetParam()));
}

class LossByKind : public testing::TestWithParam<LossKind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, LossByKind,
                         testing::Values(LossKind::ce, LossKind::dice, LossKind::ce_dice));

TEST_P(LossByKind, Gradient_InDouble_EqualsFiniteDifferences) {
  const at::Tensor logits = at::randn({2, 3, 4, 3}, at::kDouble);
  const at::Tensor labels = random_labels({2, 4, 3}, 3);
  const at::Tensor gradient = ours(logits, labels, GetParam()).gradient.reshape(-1);
  constexpr double kStep = 1e-6;
  for (std::int64_t i = 0; i < logits.numel(); ++i) {
    const auto loss_at = [&](double shift) {
      at::Tensor moved = logits.clone();
      moved.view(-1)[i] += shift;
      return segmentation_loss(moved, labels, GetParam()).item<double>();
    };
    const double difference = (loss_at(kStep) - loss_at(-kStep)) / (2 * kStep);
    EXPECT_NEAR(gradient[i].item<double>(), difference, 1e-8) << "logit " << i;
  }
}

TEST_P(LossByKind, AllPixelsIgnored_LossAndGradientAreZero) {
  const auto labels = at::full({2, 6, 5}, base::kIgnoreLabel, at::kByte);
  const Differentiated result = ours(at::randn({2, 3, 6, 5}), labels, GetParam());
  EXPECT_EQ(result.loss.item<double>(), 0);
  EXPECT_EQ(result.gradient.abs().max().item<double>(), 0);
}

TEST_P(LossByKind, IgnoredPixels_WhateverTheirLogits_ChangeNothing) {
  const auto labels = random_labels({2, 9, 8}, 4);
  const auto logits = at::randn({2, 4, 9, 8});
  const auto other =
      at::where(labels.eq(base::kIgnoreLabel).unsqueeze(1), at::full({}, 50.0F), logits);
  const auto a = ours(logits, labels, GetParam()), b = ours(other, labels, GetParam());
  EXPECT_TRUE(at::equal(a.loss, b.loss));
  EXPECT_TRUE(at::equal(a.gradient, b.gradient));
}

TEST_P(LossByKind, DevicePath_OnTheCpu_EqualsTheCpuPath) {
  const auto logits = at::randn({2, 4, 9, 8}).contiguous(at::MemoryFormat::ChannelsLast);
  const auto labels = random_labels({2, 9, 8}, 4);
  const at::Tensor cpu = at::empty_like(logits), device = at::empty_like(logits);
  const auto cpu_sums = cpu_loss_forward(logits, labels, cpu);
  const auto device_sums = device_loss_forward(logits, labels, device);
  EXPECT_TRUE(at::allclose(cpu_sums, device_sums, 1e-5, 1e-5)) << cpu_sums << device_sums;
  EXPECT_TRUE(at::allclose(cpu, device, 1e-5, 1e-6));
  const auto coefficients = at::randn({9}, at::kDouble);
  const at::Tensor cpu_gradient = at::empty_like(logits), device_gradient = at::empty_like(logits);
  cpu_loss_backward(cpu, labels, coefficients, cpu_gradient);
  device_loss_backward(device, labels, coefficients, device_gradient);
  EXPECT_TRUE(at::allclose(cpu_gradient, device_gradient, 1e-4, 1e-5));
}

TEST_P(LossByKind, Repeated_WithAnyNumberOfThreads_HasTheSameBits) {
  const auto logits = at::randn({2, 3, 120, 130}).contiguous(at::MemoryFormat::ChannelsLast);
  const auto labels = random_labels({2, 120, 130}, 3);
  const auto first = ours(logits, labels, GetParam());
  for (const int threads : {1, 2, 2, 3}) {
    at::set_num_threads(threads);
    const auto again = ours(logits, labels, GetParam());
    at::set_num_threads(2);
    EXPECT_TRUE(at::equal(first.loss, again.loss));
    EXPECT_TRUE(at::equal(first.gradient, again.gradient));
  }
}

TEST(Loss, Bf16Logits_GiveTheRoundedGradientOfTheirValues) {
  const auto logits =
      at::randn({2, 3, 12, 16}).to(at::kBFloat16).contiguous(at::MemoryFormat::ChannelsLast);
  const auto labels = random_labels({2, 12, 16}, 3);
  const auto half = ours(logits, labels, LossKind::ce_dice);
  const auto full = ours(logits.to(at::kFloat), labels, LossKind::ce_dice);
  EXPECT_EQ(half.loss.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(half.loss, full.loss));
  EXPECT_EQ(half.gradient.scalar_type(), at::kBFloat16);
  EXPECT_TRUE(half.gradient.is_contiguous(at::MemoryFormat::ChannelsLast));
  EXPECT_TRUE(at::equal(half.gradient, full.gradient.to(at::kBFloat16)));
}

TEST(Loss, CroppedLogits_EqualACopyOfThem) {
  const auto padded = at::randn({2, 3, 16, 16}).contiguous(at::MemoryFormat::ChannelsLast);
  const auto view = padded.narrow(2, 0, 13).narrow(3, 0, 11);
  const auto labels = random_labels({2, 13, 11}, 3);
  const auto a = segmentation_loss(view, labels, LossKind::ce_dice);
  const auto b = segmentation_loss(view.contiguous(), labels, LossKind::ce_dice);
  EXPECT_TRUE(at::equal(a, b));
}

TEST(Loss, OuterGradient_ScalesTheGradient) {
  const auto labels = random_labels({1, 8, 8}, 3);
  at::Tensor once = at::randn({1, 3, 8, 8}).requires_grad_(true);
  at::Tensor quarter = once.detach().clone().requires_grad_(true);
  segmentation_loss(once, labels, LossKind::ce_dice).backward();
  segmentation_loss(quarter, labels, LossKind::ce_dice).backward(at::full({}, 0.25F));
  EXPECT_TRUE(at::allclose(once.grad() * 0.25, quarter.grad(), 1e-6, 1e-9));
}

TEST(Loss, Graph_DoesNotHoldTheLogits) {
  at::Tensor weight = at::ones({}).requires_grad_(true);
  at::Tensor logits = at::randn({1, 2, 8, 8}) * weight;
  const auto weak = logits.storage().getWeakStorageImpl();
  const auto loss = segmentation_loss(std::move(logits), random_labels({1, 8, 8}, 2), LossKind::ce);
  EXPECT_TRUE(weak.expired());
}

TEST(Loss, Forward_AllocatesNoMoreThanTheProbabilities) {
  const auto logits = at::randn({2, 4, 128, 128}).to(at::kBFloat16);
  const auto labels = random_labels({2, 128, 128}, 4);
  memory::MemoryMeter& meter = memory::meter_of(c10::kCPU);
  meter.begin_window();
  const auto loss =
      segmentation_loss(logits.detach().requires_grad_(true), labels, LossKind::ce_dice);
  const memory::MeterReading reading = meter.reading();
  const std::int64_t probabilities = logits.numel() * 4;
  EXPECT_LE(reading.peak_bytes - reading.live_before_bytes, probabilities + 8192);
}

TEST(Loss, LabelThatIsNoClass_IsAnInternalError) {
  const auto labels = at::full({1, 4, 4}, 3, at::kByte);
  try {
    (void)segmentation_loss(at::randn({1, 3, 4, 4}), labels, LossKind::ce);
    FAIL() << "nothing was thrown";
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::internal);
    EXPECT_NE(error.parts().subject.find("label 3"), std::string::npos);
  }
}

TEST(Loss, ShapesThatDoNotMatch_AreAnInternalError) {
  EXPECT_THROW((void)segmentation_loss(at::randn({1, 3, 4, 4}), at::zeros({1, 4, 5}, at::kByte),
                                       LossKind::ce),
               base::Error);
}

TEST(Loss, NanLogit_GivesNanLoss) {
  auto logits = at::randn({1, 3, 4, 4});
  logits[0][1][2][2] = std::nan("");
  const auto loss = segmentation_loss(logits, at::zeros({1, 4, 4}, at::kByte), LossKind::ce_dice);
  EXPECT_TRUE(std::isnan(loss.item<double>()));
}

TEST(LossSums, OfTwoTiles_GiveTheLossOfBothAsOneBatch) {
  const auto logits = at::randn({2, 3, 10, 12});
  const auto labels = random_labels({2, 10, 12}, 3);
  LossSums sums(3);
  sums += loss_sums(logits.narrow(0, 0, 1), labels.narrow(0, 0, 1));
  sums += loss_sums(logits.narrow(0, 1, 1), labels.narrow(0, 1, 1));
  EXPECT_EQ(sums.pixels(), labels.ne(base::kIgnoreLabel).sum().item<std::int64_t>());
  for (const auto kind : {LossKind::ce, LossKind::dice, LossKind::ce_dice}) {
    EXPECT_NEAR(sums.loss(kind), segmentation_loss(logits, labels, kind).item<double>(), 1e-6);
  }
}

}  // namespace
}  // namespace headroom::train
