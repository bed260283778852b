#include "core/train/chunks.hpp"

#include <ATen/Functions.h>
#include <ATen/TensorIterator.h>

namespace headroom::train {

// at::parallel_for of LibTorch's headers needs OpenMP flags in every unit that uses it; a tensor
// iterator runs inside the library.
void for_each_chunk(std::int64_t count, const std::function<void(std::int64_t)>& work) {
  if (count == 0) {
    return;
  }
  at::Tensor slots = at::empty({count}, at::kLong);
  const char* first = static_cast<const char*>(slots.const_data_ptr());
  auto iterator = at::TensorIterator::borrowing_nullary_op(slots);
  iterator.for_each(
      [&](char** data, const std::int64_t* strides, std::int64_t inner, std::int64_t outer) {
        for (std::int64_t i = 0; i < inner * outer; ++i) {
          const auto offset = (data[0] + i / inner * strides[1] + i % inner * strides[0]) - first;
          work(offset / static_cast<std::int64_t>(sizeof(std::int64_t)));
        }
      },
      /*grain_size=*/1);
}

}  // namespace headroom::train
