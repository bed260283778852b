#include "core/train/losses.hpp"

#include <ATen/record_function.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/train/loss_kernels.hpp"

namespace headroom::train {
namespace {

constexpr double kDiceSmooth = 1e-5;

bool has_cross_entropy(base::LossKind kind) { return kind != base::LossKind::dice; }
bool has_dice(base::LossKind kind) { return kind != base::LossKind::ce; }

struct DiceSums {
  at::Tensor intersection, denominator;  ///< [k]: 2 I + s, P + T + s

  explicit DiceSums(const at::Tensor& sums) {
    const auto classes = (sums.numel() - 2) / 3;
    const auto part = [&](std::int64_t i) { return sums.narrow(0, 2 + i * classes, classes); };
    intersection = part(0) * 2 + kDiceSmooth;
    denominator = part(1) + part(2) + kDiceSmooth;
  }
};

/// fp64 scalar.
at::Tensor loss_of(const at::Tensor& sums, base::LossKind kind) {
  at::Tensor loss = at::zeros({}, sums.options());
  if (has_cross_entropy(kind)) {
    loss += sums[0] / sums[1].clamp_min(1);
  }
  if (has_dice(kind)) {
    const DiceSums dice(sums);
    loss += 1 - (dice.intersection / dice.denominator).mean();
  }
  return loss;
}

/// The derivative of loss_of, times `scale`, as loss_kernels.hpp wants it.
at::Tensor coefficients_of(const at::Tensor& sums, base::LossKind kind, const at::Tensor& scale) {
  const auto classes = (sums.numel() - 2) / 3;
  at::Tensor coefficients = at::zeros({1 + 2 * classes}, sums.options());
  if (has_cross_entropy(kind)) {
    coefficients[0] = sums[1].clamp_min(1).reciprocal();
  }
  if (has_dice(kind)) {
    const DiceSums dice(sums);
    const at::Tensor mean_over = dice.denominator * static_cast<double>(classes);
    coefficients.narrow(0, 1, classes).copy_(mean_over.reciprocal() * -2);
    coefficients.narrow(0, 1 + classes, classes)
        .copy_(dice.intersection / (mean_over * dice.denominator));
  }
  return coefficients * scale.to(sums.options());
}

void check_inputs(const at::Tensor& logits, const at::Tensor& labels) {
  const bool shapes_match = logits.dim() == 4 && labels.dim() == 3 &&
                            labels.size(0) == logits.size(0) && labels.size(1) == logits.size(2) &&
                            labels.size(2) == logits.size(3);
  const auto type = logits.scalar_type();
  if (!shapes_match || labels.scalar_type() != at::kByte || labels.device() != logits.device() ||
      (type != at::kFloat && type != at::kBFloat16 && type != at::kDouble)) {
    throw base::Error(
        base::ErrorKind::internal,
        {"computing the loss",
         c10::str("logits ", logits.sizes(), " ", type, ", labels ", labels.sizes(), " ",
                  labels.scalar_type()),
         "logits [n, k, h, w] in fp32, bf16 or fp64 and uint8 labels [n, h, w] on one "
         "device are needed"});
  }
}

at::ScalarType accumulation_type(const at::Tensor& logits) {
  return logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
}

at::Tensor forward_sums(const at::Tensor& logits, const at::Tensor& labels,
                        const at::Tensor& probabilities) {
  return logits.is_cpu() ? cpu_loss_forward(logits, labels, probabilities)
                         : device_loss_forward(logits, labels, probabilities);
}

struct SegmentationLoss : torch::autograd::Function<SegmentationLoss> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& logits,
                            const at::Tensor& labels, std::int64_t kind) {
    RECORD_FUNCTION("segmentation_loss", std::vector<c10::IValue>({logits, labels}));
    const auto type = accumulation_type(logits);
    at::Tensor probabilities = at::empty(
        logits.sizes(), logits.options().dtype(type).memory_format(logits.suggest_memory_format()));
    at::Tensor sums = forward_sums(logits, labels, probabilities);
    at::Tensor loss = loss_of(sums, static_cast<base::LossKind>(kind)).to(type);
    context->saved_data["kind"] = kind;
    context->saved_data["logits_type"] = static_cast<std::int64_t>(logits.scalar_type());
    context->save_for_backward({std::move(probabilities), labels, std::move(sums)});
    return loss;
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& outer) {
    const auto saved = context->get_saved_variables();
    const at::Tensor &probabilities = saved[0], &labels = saved[1], &sums = saved[2];
    const auto kind = static_cast<base::LossKind>(context->saved_data["kind"].toInt());
    const auto type = static_cast<at::ScalarType>(context->saved_data["logits_type"].toInt());
    RECORD_FUNCTION("segmentation_loss_backward", std::vector<c10::IValue>({outer[0]}));
    const at::Tensor coefficients = coefficients_of(sums, kind, outer[0]);
    at::Tensor gradient = at::empty_like(probabilities, probabilities.options().dtype(type));
    if (probabilities.is_cpu()) {
      cpu_loss_backward(probabilities, labels, coefficients, gradient);
    } else {
      device_loss_backward(probabilities, labels, coefficients, gradient);
    }
    RECORD_OUTPUTS(at::TensorList(gradient));
    return {gradient, at::Tensor(), at::Tensor()};
  }
};

}  // namespace

LossSums::LossSums(std::int64_t classes) : values_(static_cast<std::size_t>(2 + 3 * classes)) {}

LossSums& LossSums::operator+=(const LossSums& other) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    values_[i] += other.values_.at(i);
  }
  return *this;
}

std::int64_t LossSums::pixels() const { return static_cast<std::int64_t>(values_[1]); }

double LossSums::loss(base::LossKind kind) const {
  return loss_of(at::tensor(values_, at::kDouble), kind).item<double>();
}

at::Tensor segmentation_loss(at::Tensor logits, const at::Tensor& labels, base::LossKind kind) {
  check_inputs(logits, labels);
  return SegmentationLoss::apply(std::move(logits), labels.contiguous(),
                                 static_cast<std::int64_t>(kind));
}

LossSums loss_sums(const at::Tensor& logits, const at::Tensor& labels) {
  check_inputs(logits, labels);
  const at::NoGradGuard no_graph;
  const at::Tensor sums = forward_sums(logits, labels.contiguous(), {}).cpu();
  LossSums result(logits.size(1));
  const auto* first = sums.const_data_ptr<double>();
  result.values_.assign(first, first + sums.numel());
  return result;
}

}  // namespace headroom::train
