// The strategies: one row for each.
//
// To add a strategy, add a row here and a file under runtime/strategies/ that defines the row's
// factory. The command line, snag::explore and the benchmarks take their lists from this table.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace snag {

// Who may name the strategy.
enum class StrategyChoice : std::uint8_t {
  kInternal,    // the tool alone
  kRun,         // users, for `snag run` only
  kEverywhere,  // users, wherever a strategy can be chosen
};

// How the rest of Snag treats the runs of a strategy; a set of bits.
enum StrategyTraits : std::uint8_t {
  kPlainStrategy = 0,
  // Enumerates schedules in one search: nothing in its runs is left to chance, any wait with a
  // deadline may time out at any step, and the search cannot be split among processes (-j).
  kSystematic = 1,
  // Need not be asked at steps that only one thread can take.
  kSkipsForcedSteps = 2,
  // Plays a schedule under the rules of the strategy that recorded it (Config::recorded).
  kFollowsRecorded = 4,
  // The tool compares the events of the run with those of the recorded run.
  kComparesEvents = 8,
  // May let any wait with a deadline time out at any step.
  kEarlyTimeouts = 16,
  // Brings about the interleaving in Config::directed.
  kBringsAboutDirected = 32,
};

// Columns:
//   enumerator
//   number   stored in replay tokens and mixed into seeds: never change or reuse one
//   name     as printed, stored in traces and accepted on the command line: never change one
//   factory  in runtime/strategies/, see runtime/strategies/registry.h
//   choice   a StrategyChoice
//   traits   StrategyTraits
// Help texts list the strategies in the order of the rows. The order has no other meaning.
#define SNAG_STRATEGIES(X)                                                                \
  X(kRandom, 0, "random", random_strategy, kEverywhere, kSkipsForcedSteps)                \
  X(kPct, 1, "pct", pct_strategy, kEverywhere, kPlainStrategy)                            \
  X(kPos, 2, "pos", pos_strategy, kEverywhere, kPlainStrategy)                            \
  X(kSurw, 3, "surw", surw_strategy, kEverywhere, kPlainStrategy)                         \
  X(kDfs, 4, "dfs", dfs_strategy, kEverywhere, kSystematic)                               \
  X(kMix, 5, "mix", mix_strategy, kEverywhere, kPlainStrategy)                            \
  X(kWantedPair, 9, "cover", wanted_pair_strategy, kRun, kPlainStrategy)                  \
  X(kReplay, 6, "replay", replay_strategy, kInternal, kFollowsRecorded | kComparesEvents) \
  X(kRemote, 7, "remote", remote_strategy, kInternal, kEarlyTimeouts | kComparesEvents)   \
  X(kGuided, 8, "guided", guided_strategy, kInternal, kFollowsRecorded)                   \
  X(kDirected, 10, "active", directed_strategy, kInternal, kBringsAboutDirected)          \
  /* Algorithm 1 of "Checking Assertions in Concurrent Programs with Active Testing". */  \
  X(kBreakpoints, 11, "assert", breakpoints_strategy, kInternal, kBringsAboutDirected)

enum class StrategyKind : std::uint8_t {
#define SNAG_ENUMERATOR(id, number, name, factory, choice, traits) id = number,
  SNAG_STRATEGIES(SNAG_ENUMERATOR)
#undef SNAG_ENUMERATOR
};

struct StrategyRow {
  StrategyKind kind;
  const char* name;
  StrategyChoice choice;
  std::uint8_t traits;
};

inline constexpr StrategyRow kStrategies[] = {
#define SNAG_ROW(id, number, name, factory, choice, traits) \
  {StrategyKind::id, name, StrategyChoice::choice, traits},
    SNAG_STRATEGIES(SNAG_ROW)
#undef SNAG_ROW
};

// The row with that number, or null. Numbers come from replay tokens and from the shared memory,
// so they may be anything.
constexpr const StrategyRow* find_strategy(std::uint64_t number) {
  for (const StrategyRow& row : kStrategies) {
    if (static_cast<std::uint64_t>(row.kind) == number) return &row;
  }
  return nullptr;
}

// The row with that name, or null.
constexpr const StrategyRow* find_strategy(std::string_view name) {
  for (const StrategyRow& row : kStrategies) {
    if (row.name == name) return &row;
  }
  return nullptr;
}

constexpr bool has_trait(StrategyKind kind, StrategyTraits trait) {
  const StrategyRow* row = find_strategy(static_cast<std::uint64_t>(kind));
  return row != nullptr && (row->traits & trait) != 0;
}

// Whether users may name the strategy at a place that accepts `place`.
constexpr bool may_choose(const StrategyRow& row, StrategyChoice place) {
  return row.choice == StrategyChoice::kEverywhere || row.choice == place;
}

// For help texts and messages: "random, pct, ... or mix", for example.
struct StrategyList {
  char text[256] = {};
};

// The strategies that users may choose at a place that accepts `choice`, with `last` before the
// last one, and the whole between `prefix` and `suffix`.
constexpr StrategyList list_strategies(StrategyChoice choice, const char* last = ", ",
                                       const char* suffix = "", const char* prefix = "") {
  StrategyList list;
  std::size_t size = 0;
  const auto add = [&](const char* text) {
    while (*text != 0) list.text[size++] = *text++;
  };
  std::size_t left = 0;
  for (const StrategyRow& row : kStrategies) left += may_choose(row, choice);
  add(prefix);
  for (const StrategyRow& row : kStrategies) {
    if (!may_choose(row, choice)) continue;
    add(row.name);
    --left;
    if (left != 0) add(left == 1 ? last : ", ");
  }
  add(suffix);
  return list;
}

}  // namespace snag
