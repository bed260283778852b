#include "core/run/command.hpp"

#include <array>

namespace headroom::run {

Action action_of(const Command& command) {
  // In the order of the variant's alternatives.
  constexpr std::array<Action, kActions> kActionOf = {
      Action::configure, Action::start,     Action::pause,     Action::resume,
      Action::stop,      Action::save,      Action::set_plan,  Action::set_learning_rate,
      Action::self_test, Action::calibrate, Action::check_fit, Action::cancel_measurement};
  static_assert(std::variant_size_v<Command> == kActions);
  return kActionOf[command.index()];
}

}  // namespace headroom::run
