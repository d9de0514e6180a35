// A schedule that is reported as infeasible must be: many runs try to satisfy it all the same.
#include <gtest/gtest.h>

#include "schedule/language/feasible.h"
#include "schedule/language/random_schedule_for_test.h"
#include "schedule/monitor/monitor.h"

namespace snag::schedule {
namespace {

constexpr int kThreads = 4;  // t, u, and two without a name
constexpr int kRuns = 30, kSteps = 60;

enum class State : std::uint8_t { kNew, kRunning, kBlocked, kEnded };

std::vector<Action> possible_now(const Monitor& monitor, const std::vector<State>& states) {
  std::vector<Action> found;
  for (int thread = 0; thread < kThreads; ++thread) {
    switch (states[static_cast<std::size_t>(thread)]) {
      case State::kNew:
        found.push_back(Action::start(thread));
        break;
      case State::kRunning:
        found.push_back(Action::end(thread));
        found.push_back(Action::block(thread));
        for (const char* name : Draw::kNames)
          if (monitor.mentions(name) >= 0)
            found.push_back(Action::event(monitor.mentions(name), thread));
        break;
      case State::kBlocked:
        found.push_back(Action::unblock(thread));
        break;
      case State::kEnded:
        break;
    }
  }
  return found;
}

// Whether a run that does only what is allowed gets to the end.
bool is_met(const Schedule& schedule, Draw& draw) {
  Monitor monitor(schedule);
  monitor.thread_named(0, "t");
  monitor.thread_named(1, "u");
  std::vector<State> states(kThreads, State::kNew);
  for (int step = 0; step < kSteps && !monitor.unreached().empty(); ++step) {
    std::vector<Action> choices;
    for (const Action& action : possible_now(monitor, states)) {
      // Ends come late: after them there is little to be done.
      if (action.kind == EventKind::kEnd && !draw.percent(10)) continue;
      if (monitor.may_happen(action)) choices.push_back(action);
    }
    if (choices.empty()) continue;
    const Action action =
        choices[static_cast<std::size_t>(draw.below(static_cast<int>(choices.size())))];
    if (monitor.happened(action)) return false;
    State& state = states[static_cast<std::size_t>(action.thread)];
    if (action.kind == EventKind::kStart || action.kind == EventKind::kUnblock)
      state = State::kRunning;
    if (action.kind == EventKind::kBlock) state = State::kBlocked;
    if (action.kind == EventKind::kEnd) state = State::kEnded;
  }
  return monitor.unreached().empty();
}

TEST(Feasible, NothingThatCanBeMetIsRefused) {
  Draw draw(5);
  int infeasible = 0, feasible = 0, met = 0;
  for (int i = 0; i < 4'000; ++i) {
    const Schedule schedule = draw.schedule();
    const auto fault = check_feasible(schedule);
    bool one_met = false;
    for (int run = 0; run < kRuns && !one_met; ++run) one_met = is_met(schedule, draw);
    ASSERT_FALSE(fault && one_met) << to_string(schedule) << "\n" << fault->message;
    ++(fault ? infeasible : feasible);
    met += one_met ? 1 : 0;
  }
  EXPECT_GT(infeasible, 500);
  // The runs are good at it, or the above would mean nothing.
  EXPECT_GT(met, feasible * 9 / 10) << feasible;
  EXPECT_LE(met, feasible);
}

}  // namespace
}  // namespace snag::schedule
