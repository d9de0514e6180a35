// Pairs that the user knows cannot be covered, with the reasons: a text file to check in.
//
//   # a comment
//   lp: read at q.h:31 in Queue::size() then write at q.h:52 in Queue::push()
//       size() is only called before the threads are started
//
// A pair is one line, as reports show it, without column, callers and variable; the lines after it
// that begin with a blank are the reason, which is required. `*` as a line number, function or file
// matches all.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/wording.h"

namespace snag::coverage {

inline constexpr const char* kDefaultPruneFile = "snag.prune";
inline constexpr std::size_t kMaxPruneBytes = 16 << 20;
inline constexpr std::size_t kMaxPruned = 100'000;

// One side of a pair.
struct PrunedPlace {
  std::string action;  // "read"
  std::string file;    // the end of a path; "*": any
  int line = 0;        // 0: any
  std::string function;
  bool operator==(const PrunedPlace&) const = default;
  std::string text() const;  // "read at q.h:31 in Queue::size()"
};

struct PrunedPair {
  Metric metric = Metric::kLocationPairs;
  PrunedPlace first, second;
  std::string reason;
  int line = 0;  // in the file

  bool is_same_pair(const PrunedPair& other) const;
  // As a line of the file, without the reason.
  std::string text() const;
};

// The entry for a pair, without a reason.
PrunedPair pruned_form(const Pair& pair, const CoverData& data, const Wording& wording);

// One line, without reason. The error is a sentence.
Expected<PrunedPair> parse_pruned_pair(std::string_view line);

class PruneList {
 public:
  static Expected<PruneList> parse(std::string_view text, const std::string& file);
  static Expected<PruneList> read(const std::string& path);

  std::vector<PrunedPair> entries;
  std::string text() const;  // the file, without its comments
};

// Which pairs of the data are pruned.
struct Pruned {
  static constexpr std::uint32_t kNot = UINT32_MAX;
  std::vector<std::uint32_t> entry_of;  // for each pair: the entry, or kNot
  std::vector<bool> is_used;            // for each entry: whether there is such a pair

  bool is_pruned(std::size_t pair) const { return entry_of[pair] != kNot; }
};
// What could be pruned: without duplicates, and only entries that are right for every pair that
// they match.
std::vector<PrunedPair> proposals(const CoverData& data, const Pruned& pruned,
                                  const Wording& wording);
Pruned find_pruned(const PruneList& list, const CoverData& data, const Wording& wording);

}  // namespace snag::coverage
