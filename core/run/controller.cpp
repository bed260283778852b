#include "core/run/controller.hpp"

#include <stop_token>
#include <thread>
#include <utility>

#include "core/run/mailbox.hpp"
#include "core/run/run_driver.hpp"

namespace headroom::run {

class RunController::Worker {
 public:
  explicit Worker(ControllerOptions options) : driver_(std::move(options), mailbox_) {}

  ~Worker() {
    thread_.request_stop();
    mailbox_.close();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  [[nodiscard]] Mailbox& mailbox() { return mailbox_; }

 private:
  Mailbox mailbox_{};
  RunDriver driver_;
  /// Last: it starts when all else is there, and is joined first.
  std::jthread thread_{[this](const std::stop_token& closing) { driver_.run(closing); }};
};

RunController::RunController(ControllerOptions options)
    : worker_(std::make_unique<Worker>(std::move(options))) {}

RunController::~RunController() = default;

void RunController::post(Command command) { worker_->mailbox().post(std::move(command)); }

std::shared_ptr<const RunSnapshot> RunController::snapshot() const {
  return worker_->mailbox().snapshot();
}

std::shared_ptr<const RunSnapshot> RunController::wait_until_done() const {
  return worker_->mailbox().wait_until_rest();
}

}  // namespace headroom::run
