#include "core/memory/offload.hpp"

namespace headroom::memory {

OffloadedTensor::OffloadedTensor(const at::Tensor& tensor, std::shared_ptr<DeviceCopy> copy,
                                 Origin origin)
    : copy_(std::move(copy)),
      origin_(std::move(origin)),
      recorder_(active_recorder()),
      version_counter_(tensor.unsafeGetTensorImpl()->version_counter()),
      version_(version_counter_.current_version()),
      to_host_(copy_->to_host(tensor.detach())) {
  if (recorder_) {
    recorder_->add_region(origin_.stage.stage);
  }
}

void OffloadedTensor::check_unchanged() const {
  if (version_counter_.current_version() != version_) {
    throw_broken(origin_.stage.stage_name, "a tensor that backward needs was changed in place");
  }
}

void OffloadedTensor::begin_fetch() {
  if (to_device_) {
    return;
  }
  check_unchanged();
  const StageMark mark(origin_.stage.stage);
  to_device_ = copy_->to_device(to_host_->wait());
  if (recorder_ && !std::exchange(was_fetched_, true)) {
    recorder_->add_recomputed_region(origin_.stage.stage);
  }
}

at::Tensor OffloadedTensor::take() {
  const RecomputeTimer timer(recorder_, origin_.stage.stage);
  begin_fetch();
  at::Tensor value = to_device_->wait();
  if (++asked_ >= consumers_) {
    asked_ = 0;
    to_device_.reset();
  }
  if (const OffloadedPtr next = origin_.saved_before.lock()) {
    next->begin_fetch();
  }
  return value;
}

at::Tensor OffloadedTensor::look() {
  const RecomputeTimer timer(recorder_, origin_.stage.stage);
  const bool stays = to_device_ != nullptr;
  begin_fetch();
  at::Tensor value = to_device_->wait();
  if (!stays) {
    to_device_.reset();
  }
  return value;
}

OffloadedPtr OffloadedRun::save(const at::Tensor& tensor) {
  for (const auto& [identity, saved] : saved_) {
    if (identity.is(tensor)) {
      if (OffloadedPtr known = saved.lock(); known && known->is_version_of(tensor)) {
        return known;
      }
    }
  }
  OffloadedTensor::Origin origin{.stage = stage_};
  if (!saved_.empty()) {
    origin.saved_before = saved_.back().second;
  }
  auto offloaded = std::make_shared<OffloadedTensor>(tensor, copy_, std::move(origin));
  saved_.emplace_back(TensorIdentity(tensor), offloaded);
  return offloaded;
}

void OffloadedRun::begin_fetch() const {
  if (saved_.empty()) {
    return;
  }
  if (const OffloadedPtr last = saved_.back().second.lock()) {
    last->begin_fetch();
  }
}

}  // namespace headroom::memory
