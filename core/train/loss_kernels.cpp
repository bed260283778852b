#include "core/train/loss_kernels.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/image.hpp"
#include "core/train/chunks.hpp"

namespace headroom::train {
namespace {

/// Pixels of one unit of work. Partial sums are per unit and added in their order, so that results
/// do not depend on threads.
constexpr std::int64_t kPixelsPerChunk = 4096;

/// Element [n, k, h, w] of a tensor by strides.
template <typename T>
struct PixelView {
  explicit PixelView(const at::Tensor& t)
      : data(address_of(t)),
        stride_n(t.stride(0)),
        stride_k(t.stride(1)),
        stride_h(t.stride(2)),
        stride_w(t.stride(3)) {}
  [[nodiscard]] T* row(std::int64_t n, std::int64_t y) const {
    return data + n * stride_n + y * stride_h;
  }

  static T* address_of(const at::Tensor& t) {
    if constexpr (std::is_const_v<T>) {
      return t.const_data_ptr<std::remove_const_t<T>>();
    } else {
      return t.mutable_data_ptr<T>();
    }
  }

  T* data;
  std::int64_t stride_n, stride_k, stride_h, stride_w;
};

/// Rows of all images, cut into chunks of about kPixelsPerChunk pixels.
struct RowChunks {
  explicit RowChunks(const at::Tensor& labels)
      : height(labels.size(1)),
        width(labels.size(2)),
        rows(labels.size(0) * height),
        rows_per_chunk(
            std::max<std::int64_t>(1, kPixelsPerChunk / std::max<std::int64_t>(1, width))),
        count((rows + rows_per_chunk - 1) / rows_per_chunk) {}

  /// work(image, y) for the rows of one chunk, in order.
  template <typename Work>
  void for_each_row(std::int64_t chunk, const Work& work) const {
    const auto end = std::min(rows, (chunk + 1) * rows_per_chunk);
    for (auto row = chunk * rows_per_chunk; row < end; ++row) {
      work(row / height, row % height);
    }
  }

  std::int64_t height, width, rows, rows_per_chunk, count;
};

/// One pixel: probabilities of the k classes from logits, both with their strides. Returns
/// -log(probability of `label`).
template <typename Logit, typename Real>
Real softmax_pixel(const Logit* logits, std::int64_t logit_stride, Real* probabilities,
                   std::int64_t stride, std::int64_t classes, std::int64_t label) {
  Real highest = static_cast<Real>(logits[0]);
  for (std::int64_t c = 1; c < classes; ++c) {
    highest = std::max(highest, static_cast<Real>(logits[c * logit_stride]));
  }
  Real sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) {
    const Real e = std::exp(static_cast<Real>(logits[c * logit_stride]) - highest);
    probabilities[c * stride] = e;
    sum += e;
  }
  const Real scale = 1 / sum;
  for (std::int64_t c = 0; c < classes; ++c) {
    probabilities[c * stride] *= scale;
  }
  return std::log(sum) - (static_cast<Real>(logits[label * logit_stride]) - highest);
}

template <typename Real>
struct ForwardTargets {
  Real* probabilities = nullptr;
  std::int64_t stride_k = 1, stride_w = 0;  ///< stride_w 0: every pixel's go to one scratch place
  double* sums = nullptr;
};

/// One row of pixels. Returns a label that is neither a class nor ignored, or -1.
template <typename Logit, typename Real>
int forward_row(const Logit* logits, std::int64_t stride_k, std::int64_t stride_w,
                const std::uint8_t* labels, std::int64_t width, std::int64_t classes,
                ForwardTargets<Real> out) {
  double *intersection = out.sums + 2, *predicted = intersection + classes,
         *truth = predicted + classes;
  for (std::int64_t x = 0; x < width; ++x) {
    Real* probabilities = out.probabilities + x * out.stride_w;
    const std::uint8_t label = labels[x];
    if (label == base::kIgnoreLabel) {
      for (std::int64_t c = 0; c < classes; ++c) {
        probabilities[c * out.stride_k] = 0;
      }
      continue;
    }
    if (label >= classes) {
      return label;
    }
    out.sums[0] +=
        softmax_pixel(logits + x * stride_w, stride_k, probabilities, out.stride_k, classes, label);
    out.sums[1] += 1;
    intersection[label] += probabilities[label * out.stride_k];
    truth[label] += 1;
    for (std::int64_t c = 0; c < classes; ++c) {
      predicted[c] += probabilities[c * out.stride_k];
    }
  }
  return -1;
}

template <typename Logit, typename Real>
at::Tensor forward_kernel(const at::Tensor& logits, const at::Tensor& labels,
                          const at::Tensor& probabilities) {
  const RowChunks chunks(labels);
  const auto classes = logits.size(1);
  const PixelView<const Logit> in(logits);
  const auto* label_data = labels.const_data_ptr<std::uint8_t>();
  const auto sum_count = 2 + 3 * classes;
  std::vector<double> partial(static_cast<std::size_t>(chunks.count * sum_count));
  std::atomic<int> bad_label{-1};
  for_each_chunk(chunks.count, [&](std::int64_t chunk) {
    std::vector<Real> scratch(static_cast<std::size_t>(classes));
    chunks.for_each_row(chunk, [&](std::int64_t n, std::int64_t y) {
      ForwardTargets<Real> out{scratch.data(), 1, 0, partial.data() + chunk * sum_count};
      if (probabilities.defined()) {
        const PixelView<Real> view(probabilities);
        out.probabilities = view.row(n, y);
        out.stride_k = view.stride_k;
        out.stride_w = view.stride_w;
      }
      const int bad = forward_row<Logit, Real>(in.row(n, y), in.stride_k, in.stride_w,
                                               label_data + (n * chunks.height + y) * chunks.width,
                                               chunks.width, classes, out);
      if (bad >= 0) {
        bad_label = bad;
      }
    });
  });
  if (bad_label >= 0) {
    throw base::Error(
        base::ErrorKind::internal,
        {"computing the loss",
         "label " + std::to_string(bad_label) + " with " + std::to_string(classes) + " classes",
         "labels must be below the number of classes, or ignored"});
  }
  at::Tensor sums = at::zeros({sum_count}, at::kDouble);
  auto* total = sums.data_ptr<double>();
  for (std::size_t i = 0; i < partial.size(); ++i) {
    total[static_cast<std::int64_t>(i) % sum_count] += partial[i];
  }
  return sums;
}

/// Through the softmax: dL/dlogit_c = p_c (g_c - sum_j p_j g_j) with g_c = b_c + a_y [c = y], plus
/// w (p_c - [c = y]).
template <typename Real, typename Logit>
void backward_pixel(const Real* probabilities, std::int64_t stride, Logit* gradient,
                    std::int64_t gradient_stride, std::int64_t classes, std::int64_t label,
                    const Real* coefficients) {
  const Real weight = coefficients[0];
  const Real *a = coefficients + 1, *b = a + classes;
  const Real at_truth = probabilities[label * stride] * a[label];
  Real mean = at_truth;
  for (std::int64_t c = 0; c < classes; ++c) {
    mean += probabilities[c * stride] * b[c];
  }
  for (std::int64_t c = 0; c < classes; ++c) {
    Real value = probabilities[c * stride] * (b[c] - mean + weight);
    if (c == label) {
      value += at_truth - weight;
    }
    gradient[c * gradient_stride] = static_cast<Logit>(value);
  }
}

template <typename Logit, typename Real>
void backward_kernel(const at::Tensor& probabilities, const at::Tensor& labels,
                     const at::Tensor& coefficients, const at::Tensor& gradient) {
  const RowChunks chunks(labels);
  const auto classes = probabilities.size(1);
  const PixelView<const Real> in(probabilities);
  const PixelView<Logit> out(gradient);
  const auto* label_data = labels.const_data_ptr<std::uint8_t>();
  const auto* exact = coefficients.const_data_ptr<double>();
  const std::vector<Real> factors(exact, exact + coefficients.numel());
  for_each_chunk(chunks.count, [&](std::int64_t chunk) {
    chunks.for_each_row(chunk, [&](std::int64_t n, std::int64_t y) {
      const Real* from = in.row(n, y);
      Logit* to = out.row(n, y);
      const auto* row_labels = label_data + (n * chunks.height + y) * chunks.width;
      for (std::int64_t x = 0; x < chunks.width; ++x) {
        if (row_labels[x] == base::kIgnoreLabel) {
          for (std::int64_t c = 0; c < classes; ++c) {
            to[x * out.stride_w + c * out.stride_k] = static_cast<Logit>(0);
          }
        } else {
          backward_pixel(from + x * in.stride_w, in.stride_k, to + x * out.stride_w, out.stride_k,
                         classes, row_labels[x], factors.data());
        }
      }
    });
  });
}

}  // namespace

at::Tensor cpu_loss_forward(const at::Tensor& logits, const at::Tensor& labels,
                            const at::Tensor& probabilities) {
  switch (logits.scalar_type()) {
    case at::kDouble:
      return forward_kernel<double, double>(logits, labels, probabilities);
    case at::kBFloat16:
      return forward_kernel<c10::BFloat16, float>(logits, labels, probabilities);
    default:
      return forward_kernel<float, float>(logits, labels, probabilities);
  }
}

void cpu_loss_backward(const at::Tensor& probabilities, const at::Tensor& labels,
                       const at::Tensor& coefficients, const at::Tensor& gradient) {
  switch (gradient.scalar_type()) {
    case at::kDouble:
      return backward_kernel<double, double>(probabilities, labels, coefficients, gradient);
    case at::kBFloat16:
      return backward_kernel<c10::BFloat16, float>(probabilities, labels, coefficients, gradient);
    default:
      return backward_kernel<float, float>(probabilities, labels, coefficients, gradient);
  }
}

at::Tensor device_loss_forward(const at::Tensor& logits, const at::Tensor& labels,
                               const at::Tensor& probabilities) {
  const auto classes = logits.size(1);
  const auto type = logits.scalar_type() == at::kDouble ? at::kDouble : at::kFloat;
  at::Tensor values = at::log_softmax(logits, 1, type);
  const at::Tensor counts = labels.ne(base::kIgnoreLabel);
  at::Tensor sums = at::zeros({2 + 3 * classes}, logits.options().dtype(at::kDouble));
  sums[1] = counts.sum();
  const auto sum_where = [&](const at::Tensor& mask, std::int64_t c) {
    return values.select(1, c).masked_fill(mask.logical_not(), 0).sum(at::kDouble);
  };
  for (std::int64_t c = 0; c < classes; ++c) {
    sums[0] -= sum_where(labels.eq(c), c);
  }
  values.exp_();
  for (std::int64_t c = 0; c < classes; ++c) {
    const at::Tensor is_true = labels.eq(c);
    sums[2 + c] = sum_where(is_true, c);
    sums[2 + classes + c] = sum_where(counts, c);
    sums[2 + 2 * classes + c] = is_true.sum();
  }
  if (probabilities.defined()) {
    at::mul_out(const_cast<at::Tensor&>(probabilities), values, counts.unsqueeze(1));
  }
  return sums;
}

void device_loss_backward(const at::Tensor& probabilities, const at::Tensor& labels,
                          const at::Tensor& coefficients, const at::Tensor& gradient) {
  const auto classes = probabilities.size(1);
  const at::Tensor factors = coefficients.to(probabilities.scalar_type());
  const at::Tensor weight = factors[0];
  const auto a = [&](std::int64_t c) { return factors[1 + c]; };
  const auto b = [&](std::int64_t c) { return factors[1 + classes + c]; };
  at::Tensor at_truth = at::zeros(labels.sizes(), probabilities.options());
  at::Tensor mean = at::zeros(labels.sizes(), probabilities.options());
  for (std::int64_t c = 0; c < classes; ++c) {
    const at::Tensor p = probabilities.select(1, c);
    at_truth += p.mul(a(c)).masked_fill_(labels.ne(c), 0);
    mean += p * b(c);
  }
  mean += at_truth;
  for (std::int64_t c = 0; c < classes; ++c) {
    const at::Tensor others = probabilities.select(1, c) * (b(c) + weight - mean);
    gradient.select(1, c).copy_(others + (at_truth - weight).masked_fill_(labels.ne(c), 0));
  }
}

}  // namespace headroom::train
