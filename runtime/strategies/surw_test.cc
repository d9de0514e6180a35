#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

Strategy& surw() { return *surw_strategy({}); }

// How often each interleaving of the accesses to kA occurs, after some runs to learn from.
std::map<std::string, int> interleavings(const Model& m, int runs) {
  std::map<std::string, int> counts;
  for (int i = -20; i < runs; ++i) {
    const Execution e = run(surw(), m, {0, mix64(static_cast<std::uint64_t>(i) + 1000)});
    learn(surw(), e);
    std::string order;
    for (const Step& s : e.log()) {
      if (s.object == kA) order += static_cast<char>('0' + e.threads()[s.thread].program);
    }
    if (i >= 0) ++counts[order];
  }
  return counts;
}

TEST(Surw, TheInterleavingsOfTheObjectAreUniform) {
  // Private steps in different numbers do not disturb that, nor that thread 2 is created by
  // thread 1.
  Model m;
  m.programs = {{spawn(1), join(1)},
                {spawn(2), write(kA), write(0x9000), write(0x9040), write(kA), write(kA), join(2)},
                {write(kA), write(kA), write(0x9100), write(kA)}};
  const auto counts = interleavings(m, 20'000);
  EXPECT_EQ(counts.size(), 20u);
  for (const auto& [order, n] : counts) {
    EXPECT_GT(n, 1000 * 0.6) << order;
    EXPECT_LT(n, 1000 * 1.5) << order;
  }
}

TEST(Surw, RemainingCountsWeigh) {
  // One access against nine: ten places, each of which must be about as likely in the half of the
  // runs without roles.
  Model m;
  Program many(9, write(kA));
  m.programs = {spawn_and_join(2), many, {write(kA)}};
  const auto counts = interleavings(m, 5000);
  EXPECT_EQ(counts.size(), 10u);
  for (const auto& [order, n] : counts) EXPECT_GT(n, 500 * 0.3) << order;
}

TEST(Surw, OneThreadAgainstManyIsFoundQuickly) {
  // The published medians of the paper's own implementation are 111.5 and 272.5.
  EXPECT_LE(trials(&surw, reorder(100), 20, 1000)[10], 30);
  EXPECT_LE(trials(&surw, twostage(100), 20, 1000)[10], 60);
}

TEST(Surw, AddressesThatNeverComeBackDoNoHarm) {
  // Every run has its objects elsewhere.
  for (std::uint64_t i = 0; i < 300; ++i) {
    Model m;
    const std::uint64_t base = 0x10000 + 0x100 * i;
    m.programs = {spawn_and_join(2),
                  {write(base), lock(base + 8), unlock(base + 8)},
                  {read(base), lock(base + 8), unlock(base + 8)}};
    const Execution e = run(surw(), m, {i, mix64(i)});
    EXPECT_FALSE(e.deadlock());
    learn(surw(), e);
  }
}

TEST(Surw, WrongExpectationsDoNoHarm) {
  // Numbers of threads and accesses change from run to run.
  for (std::uint64_t i = 0; i < 300; ++i) {
    Model m = i % 3 == 0   ? reorder(2 + static_cast<int>(i % 7))
              : i % 3 == 1 ? twostage(9 - static_cast<int>(i % 7))
                           : lock_order(3);
    const Execution e = run(surw(), m, {i, mix64(i)});
    learn(surw(), e);
  }
}

}  // namespace
}  // namespace snag::rt::sim
