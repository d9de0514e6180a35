#include <gtest/gtest.h>

#include "runtime/strategies/models_for_test.h"

namespace snag::rt::sim {
namespace {

Strategy& mix() { return *mix_strategy({}); }

TEST(Mix, FindsEveryPatternWithEverySeed) {
  const std::map<std::string, Model> models = {
      {"reorder_3", reorder(3)},       {"reorder_10", reorder(10)},
      {"reorder_50", reorder(50)},     {"twostage_2", twostage(2)},
      {"twostage_20", twostage(20)},   {"twostage_50", twostage(50)},
      {"lock_order_2", lock_order(2)}, {"long_delay", long_delay(50)},
      {"handover_2", handover(2)},     {"split_update_5", split_update(5)}};
  for (const auto& [name, model] : models) {
    const auto results = trials(&mix, model, 20, 2000);
    EXPECT_LE(results.back(), 2000) << name;
    std::printf("%-16s median %4d, worst of 20 %4d\n", name.c_str(), results[10], results.back());
  }
}

TEST(Mix, DealsItsRunsOutAndSaysToWhom) {
  std::map<StrategyKind, int> shares;
  const Model m = twostage(3);
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Execution e = run(mix(), m, {i, mix64(i)});
    ++shares[mix().decider->kind];
    learn(mix(), e);
  }
  EXPECT_EQ(shares[StrategyKind::kSurw], 90);
  EXPECT_EQ(shares[StrategyKind::kPos], 40);
  EXPECT_EQ(shares[StrategyKind::kPct], 50);
  EXPECT_EQ(shares[StrategyKind::kRandom], 20);
}

}  // namespace
}  // namespace snag::rt::sim
