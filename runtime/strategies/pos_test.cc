#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

// How often thread 1, with `work` steps of its own before, wins the race for an object against
// thread 2.
double wins(Strategy& strategy, int work) {
  Model m;
  Program slow;
  for (int i = 0; i < work; ++i) slow.push_back(write(0x9000 + 64 * i));
  slow.push_back(write(kA, 1));
  m.programs = {{spawn(2), spawn(1), join(1), join(2)}, slow, {write(kA, 2)}};
  int won = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    const Execution e = run(strategy, m, {seed, mix64(seed)});
    for (const Step& s : e.log()) {
      if (s.object != kA) continue;
      won += e.threads()[s.thread].program == 1;
      break;
    }
  }
  return won / 2000.0;
}

TEST(Pos, ARaceCanBeWonFromFarBehind) {
  EXPECT_LT(wins(*random_strategy({}), 30), 0.005);
  EXPECT_GT(wins(*pos_strategy({}), 30), 0.01);
}

TEST(Pos, LosersDrawAgain) {
  // Four threads, four writes each to the same object: no thread may fall behind for good.
  Model m;
  m.programs = {spawn_and_join(4)};
  for (int i = 0; i < 4; ++i) m.programs.push_back({write(kA), write(kA), write(kA), write(kA)});
  std::set<std::string> orders;
  for (std::uint64_t seed = 0; seed < 1000; ++seed)
    orders.insert(run(*pos_strategy({}), m, {seed, seed}).partial_order());
  EXPECT_GT(orders.size(), 800u);
}

TEST(Pos, FindsTheBugPatterns) {
  auto pos = []() -> Strategy& { return *pos_strategy({}); };
  EXPECT_LE(trials(pos, reorder(3), 20, 2000)[10], 40);
  EXPECT_LE(trials(pos, twostage(2), 20, 2000)[10], 30);
}

}  // namespace
}  // namespace snag::rt::sim
