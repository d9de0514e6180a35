#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

TEST(RandomWalk, EveryScheduleOfTwoStepsIsEquallyLikely) {
  // The starts of the two threads are enabled together once main has spawned both, and main then
  // waits.
  int first = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    Model m;
    m.programs = {{spawn(1), spawn(2), join(1), join(2)}, {write(kA, 1)}, {write(kA, 2)}};
    const Execution e = run(*random_strategy({}), m, {seed, mix64(seed)});
    for (const Step& s : e.log()) {
      if (s.kind != OpKind::kWrite) continue;
      first += s.thread == 1;
      break;
    }
  }
  // Thread 1 may go while main has not yet made thread 2: somewhat above a half.
  EXPECT_GT(first, 2000);
  EXPECT_LT(first, 3600);
}

TEST(RandomWalk, TheSeedDecidesEverything) {
  const Model m = twostage(4);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(run(*random_strategy({}), m, {0, seed}).partial_order(),
              run(*random_strategy({}), m, {7, seed}).partial_order());
  }
}

TEST(RandomWalk, FindsShallowBugs) {
  EXPECT_LE(
      trials([]() -> Strategy& { return *random_strategy({}); }, lock_order(2), 20, 1000).back(),
      200);
}

}  // namespace
}  // namespace snag::rt::sim
