#include "tool/shrink/schedule_shrinker.h"

#include <gtest/gtest.h>

#include <random>

#include "tool/shrink/simulated_runner_for_test.h"

namespace snag::shrink {
namespace {

namespace sim = rt::sim;

struct Case {
  const char* name;
  sim::Model model;
  bool deadlock;
};

std::vector<Case> cases() {
  return {
      {"reorder_3", sim::reorder(3), false},          {"reorder_6", sim::reorder(6), false},
      {"twostage_2", sim::twostage(2), false},        {"twostage_6", sim::twostage(6), false},
      {"lock_order_2", sim::lock_order(2), true},     {"lock_order_5", sim::lock_order(5), true},
      {"long_delay_20", sim::long_delay(20), false},  {"handover_2", sim::handover(2), false},
      {"split_update_4", sim::split_update(4), false}};
}

// Some failing run of the model, as a random walk finds it.
TargetSchedule failing_run(SimulatedRunner& runner, unsigned seed) {
  std::mt19937 random(seed);
  for (int i = 0; i < 100'000; ++i) {
    TargetSchedule target;
    for (int j = 0; j < 200; ++j) {
      target.stretches.push_back(
          {static_cast<Tid>(random() % 8), 0, static_cast<std::uint32_t>(random() % 2 + 1)});
    }
    if (const auto log = runner.run(target); log && log->same_failure) return target_of(*log);
  }
  ADD_FAILURE() << "no failure";
  return {};
}

// The fewest switches of all failing schedules: by trying every one, without any short cut.
std::size_t fewest_switches(const Case& c, std::size_t limit) {
  for (std::size_t allowed = 0; allowed < limit; ++allowed) {
    struct Walk {
      const Case& c;
      bool visit(const sim::Execution& e, std::size_t left) {
        if (c.model.bug(e) || (c.deadlock && e.deadlock())) return true;
        const Tid current = e.log().empty() ? Tid{0} : e.log().back().thread;
        for (const Tid thread : e.enabled()) {
          if (thread != current && left == 0) continue;
          sim::Execution next = e;
          next.step(
              thread, [](std::uint32_t) { return 0u; }, [](Tid, Tid) {});
          if (visit(next, left - (thread != current ? 1 : 0))) return true;
        }
        return false;
      }
    } walk{c};
    if (walk.visit(sim::Execution(c.model), allowed)) return allowed;
  }
  return limit;
}

TEST(ScheduleShrinker, FindsTheFewestSwitchesOfEveryPattern) {
  for (const Case& c : cases()) {
    for (const unsigned seed : {1u, 2u, 3u}) {
      SimulatedRunner runner(c.model);
      if (c.deadlock) runner.look_for_deadlocks();
      const TargetSchedule start = failing_run(runner, seed);
      const ScheduleCost before = cost_of(start.stretches);
      ScheduleShrinker shrinker(runner, start, {}, [](const TargetSchedule&) {});
      EXPECT_TRUE(shrinker.shrink()) << c.name;
      const ScheduleCost after = cost_of(shrinker.best().stretches);
      const auto again = runner.run(shrinker.best());
      ASSERT_TRUE(again && again->same_failure) << c.name;
      EXPECT_EQ(cost_of(target_of(*again).stretches), after) << c.name;  // it is what it says it is
      EXPECT_LE(after, before) << c.name;
      if (seed == 1 && after.switches <= 5) {
        EXPECT_EQ(after.switches, fewest_switches(c, after.switches + 1)) << c.name;
      }
    }
  }
}

TEST(ScheduleShrinker, SearchesWithAndWithoutShortCutsAgree) {
  for (const Case& c : cases()) {
    std::size_t results[2];
    for (const Thorough thorough : {Thorough::kNo, Thorough::kYes}) {
      SimulatedRunner runner(c.model, 300'000);
      if (c.deadlock) runner.look_for_deadlocks();
      const SwitchSearchResult result = SwitchSearch(runner, thorough).search(6, {});
      results[thorough == Thorough::kYes] =
          result.found ? cost_of(result.found->stretches).switches : 99;
      if (!result.complete) results[0] = results[1] = 0;  // too big to compare
    }
    EXPECT_EQ(results[0], results[1]) << c.name;
  }
}

TEST(ScheduleShrinker, NothingToShrinkStaysAsItIs) {
  sim::Model model;
  model.programs = {{sim::write(sim::kA)}};
  model.bug = [](const sim::Execution& e) { return e.log().size() == 2; };
  SimulatedRunner runner(model);
  const TargetSchedule start = failing_run(runner, 1);
  ScheduleShrinker shrinker(runner, start, {}, [](const TargetSchedule&) { FAIL() << "improved"; });
  EXPECT_TRUE(shrinker.shrink());
  EXPECT_EQ(cost_of(shrinker.best().stretches).switches, 0u);
}

TEST(ScheduleShrinker, ChoicesAreSearchedToo) {
  // Which of two waiters is woken decides; a switch cannot.
  sim::Model model;
  model.programs = {{sim::choice(3), sim::guarded(sim::write(sim::kA))}};
  model.bug = [](const sim::Execution& e) {
    return e.choices().size() == 1 && e.choices()[0].value == 2;
  };
  SimulatedRunner runner(model);
  const SwitchSearchResult result = SwitchSearch(runner, Thorough::kNo).search(1, {});
  ASSERT_TRUE(result.found);
  ASSERT_EQ(result.found->choices.size(), 1u);
  EXPECT_EQ(result.found->choices[0].value, 2u);
}

TEST(ScheduleShrinker, KeepsTheBestWhenThereAreNoMoreRuns) {
  const sim::Model model = sim::split_update(4);
  SimulatedRunner finder(model);
  const TargetSchedule start = failing_run(finder, 1);
  for (const int runs : {0, 1, 10, 50}) {
    SimulatedRunner runner(model, runs);
    ScheduleShrinker shrinker(runner, start, {}, [](const TargetSchedule&) {});
    EXPECT_FALSE(shrinker.shrink());
    SimulatedRunner check(model);
    const auto log = check.run(shrinker.best());
    EXPECT_TRUE(log && log->same_failure);
  }
}

TEST(ScheduleShrinker, LeavesOutThreadsThatDoNotMatter) {
  // Main, one setter and the checker are enough; a random walk uses others too.
  SimulatedRunner runner(sim::reorder(7));
  const TargetSchedule start = failing_run(runner, 1);
  EXPECT_GT(cost_of(start.stretches).threads, 3u);
  ScheduleShrinker shrinker(runner, start, {}, [](const TargetSchedule&) {});
  shrinker.shrink();
  EXPECT_EQ(cost_of(shrinker.best().stretches).threads, 3u);
  EXPECT_EQ(cost_of(shrinker.best().stretches).switches, 2u);
}

}  // namespace
}  // namespace snag::shrink
