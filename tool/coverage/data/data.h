// What was covered, by source positions: the contents of a data file, and all that is needed for a
// report. Nothing here depends on addresses.
//
// A location is one place in the source that does one thing (reads, writes, locks, or begins a
// function): instructions that cannot be told apart by file, line, column, function and the chain
// of inlined functions are one. With --context, the callers belong to it, too.
//
// A pair of locations belongs to a metric. It is covered, or in the target (the accesses that were
// seen could form it), or both. A static analysis may add pairs to the target, too: kStaticTarget.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tool/binary/location_kind.h"
#include "tool/coverage/data/metric.h"

namespace snag::coverage {

using TextId = std::uint32_t;  // 0: no text
using LocationId = std::uint32_t;
using ShardId = std::uint32_t;
inline constexpr ShardId kNoShard = UINT32_MAX;

// "q.h" of "src/q.h".
std::string file_name(std::string_view path);

// What the compiler's hook at the location says; kAccess where it may be this or that.
using binary::LocationKind;
std::string_view name_of(LocationKind kind);

struct Place {
  TextId file = 0, function = 0;
  int line = 0, column = 0;
  int function_line = 0;  // where the function is declared; no part of what the place is
};
// Innermost first: inlined functions, then the one that they were inlined into.
using Chain = std::vector<Place>;

// When something was seen first: in one measurement, by its clock.
struct Moment {
  ShardId shard = kNoShard;
  std::uint64_t time_us = 0, calls = 0;
  std::uint32_t run = 0;
};

// What is kept of LocationSeen with the moment: executed, had to wait, was waited for.
enum LocationMoment : std::size_t { kExecuted, kBlocked, kBlocking, kMomentCount };

struct Location {
  LocationKind kind = LocationKind::kAccess;
  std::uint32_t shown = 0;  // the frame that a person is shown: the innermost of the user's own
  Chain frames;
  std::vector<Chain> callers;  // with --context; innermost first
  std::uint32_t seen = 0;      // LocationSeen; 0: never executed
  std::array<Moment, kMomentCount> moments;

  const Place& place() const { return frames[shown]; }
};

enum PairState : std::uint32_t {
  kPairFirstWrites = kFirstWrites,
  kPairSecondWrites = kSecondWrites,
  kPairCovered = kIsCovered,
  kPairTarget = kIsTarget,
  kStaticTarget = 16,  // a static analysis says that it could be formed
  kAllPairState = 31,
};

struct Pair {
  Metric metric = Metric::kLocationPairs;
  LocationId first = 0, second = 0;
  std::uint32_t state = 0;
  TextId variable = 0;
  Moment moment;  // of being covered

  bool is_covered() const { return (state & kPairCovered) != 0; }
};

// One measurement. Everything from `duration_us` on grows while it goes on.
struct Shard {
  std::uint64_t id = 0;        // random
  std::uint64_t begin_ms = 0;  // since 1970
  bool is_controlled = false;
  std::uint32_t metrics = 0;
  enum Count {
    kDuration,
    kRuns,
    kFailed,
    kCalls,
    kLostLocations,
    kLostPairs,
    kLostThreads,
    kLostVariables,
    kCountCount
  };
  std::array<std::uint64_t, kCountCount> counts{};  // kDuration in microseconds
};

// The program or a library of it.
struct ModuleFile {
  TextId path = 0;
  std::uint64_t hash = 0;
  bool is_scanned = false;  // all its locations are known, also those never executed
};

// What two files must agree in to be put together.
struct Build {
  std::string program;  // path
  std::uint64_t hash = 0;
  std::uint32_t context = 0;
  std::set<std::string> ignored;  // patterns of --ignore
};

class CoverData {
 public:
  CoverData() = default;
  // Not copied: numbers of texts are looked up by the texts themselves.
  CoverData(CoverData&&) = default;
  CoverData& operator=(CoverData&&) = default;

  Build build;
  // The last measurement came to its end, and nothing of the file is missing.
  bool is_complete = false;

  const std::vector<ModuleFile>& modules() const { return modules_; }
  const std::vector<Shard>& shards() const { return shards_; }

  TextId text_id(std::string_view text);
  const std::string& text(TextId id) const { return texts_[id]; }
  std::size_t text_count() const { return texts_.size(); }  // the empty one included

  // The location that is the same, or a new one; what was seen of it is not touched.
  LocationId add_location(Location location);
  const std::vector<Location>& locations() const { return locations_; }
  // An order of the locations by what they are, not by their numbers: the same in every file.
  bool is_less(LocationId first, LocationId second) const;
  // Bits of LocationSeen, seen at the moment.
  void see(LocationId location, std::uint32_t seen, const Moment& moment);

  // Puts what is known of a pair together with what was known before. One without an order begins
  // with the location that is less, so that it reads the same in every file.
  std::uint32_t add_pair(const Pair& pair);
  const std::vector<Pair>& pairs() const { return pairs_; }
  // The index, or the number of pairs if there is none.
  std::size_t find_pair(Metric metric, LocationId first, LocationId second) const;

  // kConcurrentMethods: how often, in one measurement; the biggest number that was said counts.
  void set_count(std::uint32_t pair, ShardId shard, std::uint64_t count);
  const std::map<std::pair<std::uint32_t, ShardId>, std::uint64_t>& counts() const {
    return counts_;
  }
  std::uint64_t count_of(std::uint32_t pair) const;  // the sum over the measurements

  // Why a pair cannot be covered, as far as the tool could prove it; for a person to decide. 0: it
  // was seen that it can be, whatever was said before or is said later. Of several reasons always
  // the same one.
  void propose(std::uint32_t pair, TextId reason);
  const std::map<std::uint32_t, TextId>& proposals() const { return proposals_; }

  // The index of the one with the same id, whose counts may grow, or of a new one.
  ShardId add_shard(const Shard& shard);
  // By name of the file. False: there is one of that name with another hash.
  bool add_module(std::string_view path, std::uint64_t hash, bool is_scanned);

  // The locations of the modules have to be looked for again.
  void forget_scans();

  std::uint32_t metrics() const;  // of all shards

  // Which is earlier: the order of all moments, the same in every file.
  bool is_before(const Moment& a, const Moment& b) const;

 private:
  void put_in_order(Metric metric, LocationId& first, LocationId& second) const;
  std::string key_of(const Location& location) const;

  std::vector<ModuleFile> modules_;
  std::vector<Shard> shards_;
  std::unordered_map<std::uint64_t, ShardId> shard_ids_;
  std::deque<std::string> texts_{std::string()};
  std::unordered_map<std::string_view, TextId> text_ids_;
  std::vector<Location> locations_;
  std::unordered_map<std::string, LocationId> location_ids_;
  std::vector<Pair> pairs_;
  std::unordered_map<std::uint64_t, std::uint32_t> pair_ids_;
  std::map<std::pair<std::uint32_t, ShardId>, std::uint64_t> counts_;
  std::map<std::uint32_t, TextId> proposals_;
};

// More cannot be told apart in a pair's key.
inline constexpr std::uint32_t kMaxLocations = 1u << 28;

}  // namespace snag::coverage
