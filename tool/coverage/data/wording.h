// The names of locations and pairs in reports and in the file of pruned pairs.
//
//   read at q.h:31 in Queue::size() then write at q.h:52 in Queue::push(), on Queue::count_
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tool/base/number_text.h"
#include "tool/coverage/data/data.h"

namespace snag::coverage {

class Wording {
 public:
  explicit Wording(const CoverData& data);

  // The end of the path by which the file differs from all others: "q.h", or "a/q.h".
  const std::string& file(TextId id) const { return files_[id]; }
  // "Queue::size()"
  std::string function(TextId id) const;
  // "read", "write", ...: what one side of a pair does.
  std::string_view action(const Pair& pair, bool is_first) const;
  // "q.h:31", and the column where another location of the line does the same
  std::string place(LocationId id) const;
  // "q.h:31 in Queue::size()"; with the place where it was inlined, if only that distinguishes it
  // from another location, and with the callers under --context
  std::string location(LocationId id) const;
  std::string pair(const Pair& pair) const;
  // "lock at q.h:51 in Queue::push()"
  std::string lock(LocationId id) const { return "lock at " + location(id); }

 private:
  std::uint64_t line_key(const Location& location) const;

  const CoverData& data_;
  std::vector<std::string> files_;                  // by text
  std::unordered_map<std::uint64_t, int> columns_;  // of each line and kind: the only one, or -1
  // Of each line, kind and column: the first location, and how many steps out another one was
  // inlined elsewhere (0: none was).
  struct Inlined {
    LocationId first;
    std::uint32_t differs_at;
  };
  std::map<std::pair<std::uint64_t, int>, Inlined> inlined_;
};

// What a run can show about a place that takes a lock.
struct LockSeen {
  std::uint32_t bit;
  std::string_view word;
};
inline constexpr LockSeen kLockSeen[] = {{kSeenBlocked, "blocked"}, {kSeenBlocking, "blocking"}};

// Shard::kLostVariables
inline constexpr std::string_view kTargetIncomplete =
    "the program has more pairs to cover than are counted: its accesses are too varied to keep all "
    "of them";

// "66.7 %"; 100 only if nothing is missing, and 0 only if nothing is covered
std::string percent_text(std::uint64_t part, std::uint64_t whole);
// The same of a share that is less than `limit` percent, with as many digits as it takes to see it.
std::string percent_text_below(std::uint64_t part, std::uint64_t whole, double limit);

}  // namespace snag::coverage
