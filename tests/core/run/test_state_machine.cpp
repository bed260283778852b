#include "core/run/state_machine.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>
#include <string>

#include "core/run/command.hpp"

namespace headroom::run {
namespace {

RunState state_at(std::size_t index) { return static_cast<RunState>(index); }
Action action_at(std::size_t index) { return static_cast<Action>(index); }

/// What each state allows, written down apart from the table: c s p r S v P L t for configure,
/// start, pause, resume, stop, save, set_plan, set_learning_rate, self_test, calibrate,
/// check_fit, cancel_measurement.
const std::map<RunState, std::string> kAllowed = {
    {RunState::empty, "ctx"},      {RunState::ready, "cstkfx"},    {RunState::preparing, "S"},
    {RunState::training, "pSvPL"}, {RunState::paused, "rSvPL"},    {RunState::validating, "pSvPL"},
    {RunState::stopping, ""},      {RunState::finished, "cstkfx"}, {RunState::failed, "cstkfx"},
};
constexpr std::array<char, kActions> kLetters = {'c', 's', 'p', 'r', 'S', 'v',
                                                 'P', 'L', 't', 'k', 'f', 'x'};

TEST(StateMachine, EveryStateByEveryAction_IsAllowedOrRefusedAsListed) {
  for (std::size_t state = 0; state < kRunStates; ++state) {
    for (std::size_t action = 0; action < kActions; ++action) {
      const bool allowed = kAllowed.at(state_at(state)).find(kLetters[action]) != std::string::npos;
      const char* const reason = refusal(state_at(state), action_at(action));
      EXPECT_EQ(reason == nullptr, allowed)
          << name_of(state_at(state)) << " by " << name_of(action_at(action));
      if (reason != nullptr) {
        EXPECT_EQ(std::string(reason).back(), '.');
      }
    }
  }
}

TEST(StateMachine, ActionsThatChangeTheState_AreAllowedExactlyWhereATransitionStarts) {
  const std::map<Action, Trigger> trigger_of = {{Action::configure, Trigger::configure},
                                                {Action::start, Trigger::start},
                                                {Action::pause, Trigger::pause},
                                                {Action::resume, Trigger::resume},
                                                {Action::stop, Trigger::stop}};
  for (std::size_t state = 0; state < kRunStates; ++state) {
    for (const auto& [action, trigger] : trigger_of) {
      EXPECT_EQ(refusal(state_at(state), action) == nullptr,
                next_state(state_at(state), trigger).has_value())
          << name_of(state_at(state)) << " by " << name_of(action);
    }
  }
}

TEST(StateMachine, EveryPairOfStateAndTrigger_HasAtMostOneTransition) {
  std::set<std::pair<RunState, Trigger>> seen;
  for (const Transition& transition : kTransitions) {
    EXPECT_TRUE(seen.emplace(transition.from, transition.trigger).second);
  }
}

TEST(StateMachine, EveryState_IsReachedAndLeft) {
  std::set<RunState> reached = {RunState::empty};
  for (std::size_t round = 0; round < kRunStates; ++round) {
    for (const Transition& transition : kTransitions) {
      if (reached.contains(transition.from)) reached.insert(transition.to);
    }
  }
  EXPECT_EQ(reached.size(), kRunStates);
  for (std::size_t state = 0; state < kRunStates; ++state) {
    bool left = false;
    for (const Transition& transition : kTransitions) left |= transition.from == state_at(state);
    EXPECT_TRUE(left) << name_of(state_at(state));
  }
}

TEST(StateMachine, EveryStateOfARun_CanFail) {
  for (std::size_t state = 0; state < kRunStates; ++state) {
    EXPECT_EQ(next_state(state_at(state), Trigger::failure).has_value(),
              !is_at_rest(state_at(state)))
        << name_of(state_at(state));
  }
}

TEST(StateMachine, AnAction_CanBeAskedForByOneCommand) {
  const std::array<Command, kActions> commands = {
      Configure{},   StartRun{},  Pause{},    Resume{},
      StopAndSave{}, SaveNow{},   SetPlan{},  SetLearningRate{},
      RunSelfTest{}, Calibrate{}, CheckFit{}, CancelMeasurement{}};
  for (std::size_t action = 0; action < kActions; ++action) {
    EXPECT_EQ(action_of(commands[action]), action_at(action));
  }
}

}  // namespace
}  // namespace headroom::run
