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

WantedPair pair_of(std::uint64_t first, std::uint64_t second) {
  WantedPair pair{};
  pair.count[0] = pair.count[1] = 1;
  pair.pcs[0][0] = first;
  pair.pcs[1][0] = second;
  return pair;
}

bool covers(const Execution& e, const WantedPair& pair) {
  std::map<std::uint64_t, Step> last_access;
  for (const Step& s : e.log()) {
    if (s.object == 0) continue;
    const auto before = last_access.find(s.object);
    if (before != last_access.end() && before->second.thread != s.thread &&
        before->second.pc == pair.pcs[0][0] && s.pc == pair.pcs[1][0])
      return true;
    last_access[s.object] = s;
  }
  return false;
}

int covering_runs(Strategy& strategy, const Model& m, const WantedPair& pair) {
  int count = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed)
    count += covers(run(strategy, m, {seed, mix64(seed)}), pair);
  return count;
}

Program work(int steps, std::uint64_t base) {
  Program program;
  for (int i = 0; i < steps; ++i) program.push_back(write(base + 64 * i));
  return program;
}

// The second thread's only write must fall between two accesses of the first one, late in its life.
Model narrow_window() {
  Model m;
  Program first = work(30, 0x9000);
  first.push_back(read(kA));
  first.push_back(write(kA));
  m.programs = {{spawn(1), spawn(2), join(1), join(2)}, first, {write(kA)}};
  return m;
}

TEST(Cover, HoldsTheOneWhoIsEarly) {
  const Model m = narrow_window();
  const WantedPair pair = pair_of(pc_of(m, 1, 30), pc_of(m, 2, 0));
  EXPECT_LT(covering_runs(*random_strategy({}), m, pair), 10);
  EXPECT_GT(covering_runs(*wanted_pair_strategy({.wanted_pair = &pair}), m, pair), 150);
}

TEST(Cover, KnowsTheOrder) {
  const Model m = narrow_window();
  const WantedPair pair = pair_of(pc_of(m, 2, 0), pc_of(m, 1, 30));
  EXPECT_GT(covering_runs(*wanted_pair_strategy({.wanted_pair = &pair}), m, pair), 150);
}

TEST(Cover, KeepsOthersOutInBetween) {
  Model m = narrow_window();
  m.programs[0] = spawn_and_join(5);
  for (int i = 0; i < 3; ++i)
    m.programs.push_back({write(kA), write(kA), write(kA), write(kA), write(kA)});
  const WantedPair pair = pair_of(pc_of(m, 1, 30), pc_of(m, 2, 0));
  EXPECT_GT(covering_runs(*wanted_pair_strategy({.wanted_pair = &pair}), m, pair), 120);
}

TEST(Cover, LetsGoWhereAHeldThreadHasTheLock) {
  // Both are in critical sections of one lock: whoever is held at the first place keeps the other
  // one out.
  Model m;
  m.programs = {{spawn(1), spawn(2), join(1), join(2)},
                {lock(kB), write(kA), unlock(kB)},
                {lock(kB), read(kA), unlock(kB)}};
  const WantedPair pair = pair_of(pc_of(m, 1, 1), pc_of(m, 2, 1));
  EXPECT_GT(covering_runs(*wanted_pair_strategy({.wanted_pair = &pair}), m, pair), 60);
}

TEST(Cover, NobodyIsHeldForEver) {
  // The one at the second place comes there only at the very end.
  Model m;
  Program idle;
  for (int i = 0; i < 60'000; ++i) idle.push_back(yield());
  idle.push_back(read(kA));
  m.programs = {{spawn(1), spawn(2), join(1), join(2)}, idle, {write(kB), write(kA)}};
  const WantedPair pair = pair_of(pc_of(m, 2, 1), pc_of(m, 1, 60'000));
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Execution e = run(*wanted_pair_strategy({.wanted_pair = &pair}), m, {seed, mix64(seed)});
    const auto written = std::find_if(e.log().begin(), e.log().end(), [](const Step& s) {
      return s.object == kA && s.kind == OpKind::kWrite;
    });
    EXPECT_LT(written - e.log().begin(), 30'000);
  }
}

TEST(Cover, WhatCannotBeCoveredDoesNotStopARun) {
  Model m;
  m.programs = {{write(kA), spawn(1), join(1)}, {read(kA)}};
  const WantedPair pair = pair_of(pc_of(m, 1, 0), pc_of(m, 0, 0));
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const Execution e = run(*wanted_pair_strategy({.wanted_pair = &pair}), m, {seed, seed});
    EXPECT_TRUE(e.over());
    EXPECT_FALSE(e.deadlock());
  }
}

}  // namespace
}  // namespace snag::rt::sim
