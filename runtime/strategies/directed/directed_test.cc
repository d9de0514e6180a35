#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

// The program counter of an instruction of a program, as the simulator gives them out.
std::uint64_t pc_of(const Model& m, int program, std::size_t instruction) {
  const Execution e = run(*random_strategy({}), m, {0, 0});
  for (const Execution::Thread& t : e.threads()) {
    if (t.program == program) return t.code + instruction;
  }
  ADD_FAILURE() << "program " << program << " has no thread";
  return 0;
}

Directed directed(DirectedKind kind, std::initializer_list<std::uint64_t> places) {
  Directed result{};
  result.kind = kind;
  for (const std::uint64_t pc : places) {
    DirectedSide& side = result.side[result.sides++];
    side.count = 1;
    side.places[0].depth = 1;
    side.places[0].frames[0] = pc;
  }
  return result;
}

int count_runs(Strategy& strategy, const Model& m,
               const std::function<bool(const Execution&)>& is_it) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    count += is_it(run(strategy, m, {seed, mix64(seed)}));
  return count;
}

Program work(int steps, std::uint64_t base) {
  Program program;
  for (int i = 0; i < steps; ++i) program.push_back(write(base + 64 * i));
  return program;
}

Program with_work(Program middle, std::uint64_t base) {
  Program program = work(25, base);
  program.insert(program.end(), middle.begin(), middle.end());
  for (const Instr& i : work(25, base + 0x4000)) program.push_back(i);
  return program;
}

constexpr int kMiddle = 25;  // the first instruction after the work

TEST(Directed, TwoThreadsMeet) {
  Model m;
  m.programs = {spawn_and_join(2), with_work({write(kA)}, 0x10000), with_work({read(kA)}, 0x20000)};
  const auto next_to_each_other = [](const Execution& e) {
    for (std::size_t i = 1; i < e.log().size(); ++i) {
      if (e.log()[i].object == kA && e.log()[i - 1].object == kA) return true;
    }
    return false;
  };
  DirectedProgress progress{};
  const Directed race = directed(DirectedKind::kRace, {pc_of(m, 1, kMiddle), pc_of(m, 2, kMiddle)});
  EXPECT_LT(count_runs(*random_strategy({}), m, next_to_each_other), 20);
  EXPECT_GT(count_runs(*directed_strategy({.directed = &race, .progress = &progress}), m,
                       next_to_each_other),
            60);
  EXPECT_GT(progress.happened.load(), 60u);
  EXPECT_EQ(progress.arrived.load(), 3u);
}

TEST(Directed, TheOrderOfARaceIsAsWanted) {
  Model m;
  m.programs = {spawn_and_join(2), with_work({write(kA, 1)}, 0x10000),
                with_work({write(kA, 2)}, 0x20000)};
  Directed race = directed(DirectedKind::kRace, {pc_of(m, 1, kMiddle), pc_of(m, 2, kMiddle)});
  for (const int variant : {0, 1, 2, 3}) {
    const bool first_first = variant % 2 == 0;
    race.order = first_first ? RaceOrder::kFirstSide : RaceOrder::kSecondSide;
    race.second_goes_on = variant / 2;
    DirectedProgress progress{};
    Strategy* strategy = directed_strategy({.directed = &race, .progress = &progress});
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
      const std::uint32_t before = progress.happened.load();
      const Execution e = run(*strategy, m, {seed, mix64(seed)});
      if (progress.happened.load() == before) continue;
      std::vector<int> programs;
      for (const Step& step : e.log()) {
        // The next step after both is that of the one who is to go on.
        if (step.object == kA || programs.size() >= 2)
          programs.push_back(e.threads()[step.thread].program);
      }
      ASSERT_GT(programs.size(), 3u);
      EXPECT_EQ(programs[0], first_first ? 1 : 2);
      EXPECT_EQ(programs[1], first_first ? 2 : 1);
      EXPECT_EQ(programs[2], race.second_goes_on != 0 ? 2 : 1);
    }
    EXPECT_GT(progress.happened.load(), 20u);
  }
}

TEST(Directed, LocksAreTakenCrosswise) {
  Model m;
  m.programs = {spawn_and_join(2),
                with_work({lock(kM1), lock(kM2), unlock(kM2), unlock(kM1)}, 0x10000),
                with_work({lock(kM2), lock(kM1), unlock(kM1), unlock(kM2)}, 0x20000)};
  const auto is_stuck = [](const Execution& e) { return e.deadlock(); };
  const Directed deadlock =
      directed(DirectedKind::kDeadlock, {pc_of(m, 1, kMiddle + 1), pc_of(m, 2, kMiddle + 1)});
  DirectedProgress progress{};
  EXPECT_LT(count_runs(*random_strategy({}), m, is_stuck), 40);
  EXPECT_GT(
      count_runs(*directed_strategy({.directed = &deadlock, .progress = &progress}), m, is_stuck),
      60);
}

TEST(Directed, AnAccessComesInBetween) {
  Model m;
  m.programs = {spawn_and_join(2), with_work({read(kA), write(kA, 1)}, 0x10000),
                with_work({write(kA, 2)}, 0x20000)};
  const auto is_between = [](const Execution& e) {
    std::vector<int> programs;
    for (const Step& step : e.log()) {
      if (step.object == kA) programs.push_back(e.threads()[step.thread].program);
    }
    return programs == std::vector<int>{1, 2, 1};
  };
  const Directed atomicity =
      directed(DirectedKind::kAtomicity,
               {pc_of(m, 1, kMiddle), pc_of(m, 1, kMiddle + 1), pc_of(m, 2, kMiddle)});
  DirectedProgress progress{};
  EXPECT_LT(count_runs(*random_strategy({}), m, is_between), 20);
  EXPECT_GT(count_runs(*directed_strategy({.directed = &atomicity, .progress = &progress}), m,
                       is_between),
            50);
  EXPECT_GT(progress.happened.load(), 50u);
}

// One value of several that a reader must not see.
Model forbidden_value() {
  Model m;
  m.programs = {spawn_and_join(2),
                {write(kB), write(kA, 1), write(kA, 2), write(kA, 3), write(kA, 4), write(kA, 5)},
                with_work({read(kA)}, 0x20000)};
  m.bug = [](const Execution& e) { return e.reads(2) == std::vector<int>{4}; };
  return m;
}

Directed assertion_of(const Model& m) {
  Directed assertion = directed(DirectedKind::kAssertion, {pc_of(m, 2, kMiddle), pc_of(m, 1, 1)});
  assertion.side[1].count = 5;
  for (std::uint32_t i = 0; i < 5; ++i) {
    assertion.side[1].places[i].depth = 1;
    assertion.side[1].places[i].frames[0] = pc_of(m, 1, i + 1);
  }
  return assertion;
}

TEST(Directed, AReaderSeesEveryState) {
  const Model m = forbidden_value();
  const Directed assertion = assertion_of(m);
  // Whatever the seed, within one round of numbers of writes.
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    DirectedProgress progress{};
    Strategy* strategy = directed_strategy({.directed = &assertion, .progress = &progress});
    int found = 0;
    for (std::uint64_t number = 0; number < 8; ++number)
      found += m.bug(run(*strategy, m, {number, mix64(seed * 100 + number)}));
    EXPECT_GE(found, 1) << "seed " << seed;
  }
}

TEST(Directed, TheAlgorithmOfThePaperPausesLessAndLess) {
  const Model m = forbidden_value();
  DirectedProgress progress{};
  const Directed assertion = assertion_of(m);
  Strategy* strategy = breakpoints_strategy({.directed = &assertion, .progress = &progress});
  run(*strategy, m, {0, 1});
  // All were paused the first time that anybody came there.
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(progress.halved[1][i], 1) << i;
  EXPECT_EQ(progress.halved[0][0], 1);
  for (std::uint64_t number = 1; number < 200; ++number) run(*strategy, m, {number, number});
  EXPECT_GT(progress.halved[0][0], 3);
  EXPECT_LT(progress.halved[0][0], 20);
}

TEST(Directed, WhatCannotHappenStopsNoRun) {
  Model m;
  m.programs = {{write(kA), spawn(1), join(1)}, {read(kA), lock(kM1), unlock(kM1)}};
  const std::uint64_t first = pc_of(m, 0, 0), second = pc_of(m, 1, 0), third = pc_of(m, 1, 1);
  for (const DirectedKind kind : {DirectedKind::kRace, DirectedKind::kDeadlock,
                                  DirectedKind::kAtomicity, DirectedKind::kAssertion}) {
    DirectedProgress progress{};
    const Directed impossible = directed(kind, {first, second, third});
    Strategy* strategy = directed_strategy({.directed = &impossible, .progress = &progress});
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
      const Execution e = run(*strategy, m, {seed, seed});
      EXPECT_TRUE(e.over());
      EXPECT_FALSE(e.deadlock());
    }
    if (kind != DirectedKind::kAssertion) {
      EXPECT_EQ(progress.happened.load(), 0u);
    }
  }
}

}  // namespace
}  // namespace snag::rt::sim
