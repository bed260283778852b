#pragma once
// A DeviceCopy whose both sides are CPU memory, and which notes what it was asked. For tests.

#include <ATen/ATen.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/memory/device_copy.hpp"

namespace headroom::tests {

class FakeDeviceCopy final : public memory::DeviceCopy {
 public:
  struct Fetch {
    int begun_at = 0, first_waited_at = 0, last_waited_at = 0;  ///< in order of what was asked
    c10::weak_intrusive_ptr<c10::StorageImpl> storage;
  };

  [[nodiscard]] std::unique_ptr<memory::PendingCopy> to_host(const at::Tensor& tensor) override {
    ++to_host_count;
    host_bytes += static_cast<std::int64_t>(tensor.nbytes());
    return std::make_unique<Pending>(tensor.clone(), nullptr, kToHost);
  }

  [[nodiscard]] std::unique_ptr<memory::PendingCopy> to_device(const at::Tensor& tensor) override {
    ++to_device_count;
    at::Tensor copy = tensor.clone();
    fetches.push_back({.begun_at = ++clock_, .storage = copy.storage().getWeakStorageImpl()});
    most_on_device = std::max(most_on_device, on_device());
    return std::make_unique<Pending>(std::move(copy), this, fetches.size() - 1);
  }

  /// Something else happens.
  void tick() { ++clock_; }

  /// Fetched tensors that are still there.
  [[nodiscard]] std::int64_t on_device() const {
    return std::ranges::count_if(fetches, [](const Fetch& f) { return f.storage.use_count() > 0; });
  }

  std::int64_t to_host_count = 0, to_device_count = 0, host_bytes = 0, most_on_device = 0;
  std::vector<Fetch> fetches;

 private:
  static constexpr std::size_t kToHost = 0;

  class Pending final : public memory::PendingCopy {
   public:
    Pending(at::Tensor copy, FakeDeviceCopy* owner, std::size_t fetch)
        : copy_(std::move(copy)), owner_(owner), fetch_(fetch) {}
    [[nodiscard]] at::Tensor wait() override {
      if (owner_ != nullptr) {
        Fetch& fetch = owner_->fetches[fetch_];
        fetch.last_waited_at = ++owner_->clock_;
        if (fetch.first_waited_at == 0) fetch.first_waited_at = fetch.last_waited_at;
      }
      return copy_;
    }

   private:
    at::Tensor copy_;
    FakeDeviceCopy* owner_;
    std::size_t fetch_;
  };

  int clock_ = 0;
};

}  // namespace headroom::tests
