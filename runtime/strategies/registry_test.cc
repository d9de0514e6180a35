#include "runtime/strategies/registry.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <string>

#include "runtime/base/modules.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// The remote strategy reads the state of the scheduler when it picks, which never happens here.
// These definitions keep the whole scheduler out of the test.
Scheduler sched;
std::uint64_t display_pc(const Thread*, std::uint64_t pc) { return pc; }
void copy_frames(const Thread*, std::uint64_t*) {}

namespace {

TEST(Strategies, NamesAndNumbersAreUnique) {
  std::set<std::string> names;
  std::set<StrategyKind> kinds;
  for (const StrategyRow& row : kStrategies) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_TRUE(kinds.insert(row.kind).second) << row.name;
    EXPECT_EQ(find_strategy(row.name), &row);
    EXPECT_EQ(find_strategy(static_cast<std::uint64_t>(row.kind)), &row);
  }
  EXPECT_EQ(find_strategy(std::uint64_t{255}), nullptr);
  EXPECT_EQ(find_strategy("luck"), nullptr);
  EXPECT_EQ(find_strategy(""), nullptr);
}

// Replay tokens hold the numbers, traces the names.
TEST(Strategies, NumbersAndNamesOfOldFilesKeepTheirMeaning) {
  const char* const names[] = {"random", "pct",    "pos",    "surw",  "dfs",    "mix",
                               "replay", "remote", "guided", "cover", "active", "assert"};
  for (std::uint64_t number = 0; number < std::size(names); ++number) {
    ASSERT_NE(find_strategy(number), nullptr) << number;
    EXPECT_STREQ(find_strategy(number)->name, names[number]);
  }
}

TEST(Strategies, ListsContainWhatUsersMayChoose) {
  const std::string run = list_strategies(StrategyChoice::kRun).text;
  const std::string everywhere = list_strategies(StrategyChoice::kEverywhere).text;
  for (const StrategyRow& row : kStrategies) {
    const std::string entry = std::string(", ") + row.name + ",";
    EXPECT_EQ((", " + run + ",").find(entry) != std::string::npos,
              row.choice != StrategyChoice::kInternal)
        << row.name;
    EXPECT_EQ((", " + everywhere + ",").find(entry) != std::string::npos,
              row.choice == StrategyChoice::kEverywhere)
        << row.name;
  }
  EXPECT_TRUE(everywhere.starts_with("random, pct, pos, surw, dfs, mix"));
  const std::string sentence = list_strategies(StrategyChoice::kRun, " or ", ".", "Use ").text;
  EXPECT_TRUE(sentence.starts_with("Use random, pct, "));
  EXPECT_TRUE(sentence.ends_with(" or cover."));
}

TEST(Strategies, EveryRowHasAFactoryThatMakesIt) {
  const auto shared = std::make_unique<Shared>();
  const WantedPair pair{};
  const Directed directed{};
  DirectedProgress progress{};
  for (const StrategyRow& row : kStrategies) {
    const Strategy* strategy = make_strategy(row.kind, {.shared = shared.get(),
                                                        .wanted_pair = &pair,
                                                        .directed = &directed,
                                                        .progress = &progress});
    ASSERT_NE(strategy, nullptr) << row.name;
    EXPECT_EQ(strategy->kind, row.kind) << row.name;
    EXPECT_EQ(strategy->decider, strategy) << row.name;
    EXPECT_EQ(strategy->search != nullptr, has_trait(row.kind, kSystematic)) << row.name;
  }
  EXPECT_EQ(make_strategy(static_cast<StrategyKind>(255), {}), nullptr);
}

}  // namespace
}  // namespace snag::rt
