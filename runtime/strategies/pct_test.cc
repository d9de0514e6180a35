#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

TEST(Pct, DepthOneNeverInterrupts) {
  const Model m = twostage(5);
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Execution e = run(*pct_strategy({.pct_depth = 1}), m, {seed, seed});
    for (std::size_t i = 1; i < e.log().size(); ++i) {
      if (e.log()[i].thread == e.log()[i - 1].thread) continue;
      // New threads, released locks and ended threads bring others to the front; an access does
      // not.
      const OpKind before = e.log()[i - 1].kind;
      ASSERT_TRUE(before != OpKind::kRead && before != OpKind::kWrite)
          << "seed " << seed << ", step " << i;
    }
  }
}

TEST(Pct, KeepsItsPromiseForABugOfDepthTwo) {
  // n = 3 threads, about 20 steps: at least one run in 60.
  const auto results =
      trials([]() -> Strategy& { return *pct_strategy({.pct_depth = 2}); }, twostage(2), 20, 2000);
  EXPECT_LE(results[10], 60);
  EXPECT_LE(results.back(), 600);
}

TEST(Pct, DelaysForAsLongAsItTakes) {
  const auto results = trials([]() -> Strategy& { return *pct_strategy({.pct_depth = 2}); },
                              long_delay(500), 20, 500);
  EXPECT_LE(results.back(), 100);
}

TEST(Pct, WhoYieldsGoesLast) {
  Model m;
  m.programs = {
      {spawn(1), spawn(2), join(1), join(2)}, {yield(), write(kA)}, {read(kA), read(kA), read(kA)}};
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Execution e = run(*pct_strategy({.pct_depth = 1}), m, {seed, seed});
    // When thread 1 yields while 2 can run, 2 runs to its end first.
    bool yielded = false;
    std::size_t started = 0;
    for (const Step& s : e.log()) {
      if (s.kind == OpKind::kThreadCreate) ++started;
      if (s.kind == OpKind::kYield && started == 2) yielded = true;
      if (yielded && s.kind == OpKind::kWrite) {
        EXPECT_EQ(e.reads(2), (std::vector<int>{0, 0, 0}));
      }
    }
  }
}

}  // namespace
}  // namespace snag::rt::sim
