// What was covered, by source positions: the contents of a data file, and all that is needed for a
// report. Nothing here depends on addresses.
//
// A location is one place in the source that does one thing (reads, writes, locks, or begins a
// function). Instructions with the same file, line, column, function and chain of inlined functions
// are one location. With --context, the callers are part of it, too.
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

// What the compiler's hook at the location says; kAccess if that depends on the call.
using binary::LocationKind;
std::string_view name_of(LocationKind kind);

struct Place {
  TextId file = 0, function = 0;
  int line = 0, column = 0;
  int function_line = 0;  // where the function is declared; does not identify the place
};
// Innermost first: inlined functions, then the one that they were inlined into.
using Chain = std::vector<Place>;

// When something was first seen: in one measurement, by its clock.
struct Moment {
  ShardId shard = kNoShard;
  std::uint64_t time_us = 0, calls = 0;
  std::uint32_t run = 0;
};

// What is kept of LocationSeen with the moment: executed, had to wait, was waited for.
enum LocationMoment : std::size_t { kExecuted, kBlocked, kBlocking, kMomentCount };
// The bits that each of them is the first moment of. What has no moment of its own was executed.
inline constexpr std::uint32_t kMomentBits[kMomentCount] = {
    kAllSeen & ~(kSeenBlocked | kSeenBlocking), kSeenBlocked, kSeenBlocking};

struct Location {
  LocationKind kind = LocationKind::kAccess;
  std::uint32_t shown = 0;  // the frame that reports show: the user's innermost
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
  kStaticTarget = 16,  // a static analysis says that it is possible
  kAllPairState = 31,
};

struct Pair {
  Metric metric = Metric::kLocationPairs;
  LocationId first = 0, second = 0;
  std::uint32_t state = 0;
  TextId variable = 0;
  Moment moment;  // when it was covered

  bool is_covered() const { return (state & kPairCovered) != 0; }
};

// One measurement. Everything from `duration_us` on grows during the measurement.
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

// The program, or a library that it uses.
struct ModuleFile {
  TextId path = 0;
  std::uint64_t hash = 0;
  bool is_scanned = false;  // all its locations are known, also those never executed
};

// What two files must agree in to be merged.
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
  // The last measurement finished, and the file is complete.
  bool is_complete = false;

  const std::vector<ModuleFile>& modules() const { return modules_; }
  const std::vector<Shard>& shards() const { return shards_; }

  TextId text_id(std::string_view text);
  const std::string& text(TextId id) const { return texts_[id]; }
  std::size_t text_count() const { return texts_.size(); }  // the empty one included

  // Returns the same location if there is one, else a new one. Does not change what was seen of it.
  LocationId add_location(Location location);
  const std::vector<Location>& locations() const { return locations_; }
  // An order of the locations by what they are, not by their numbers: the same in every file.
  bool is_less(LocationId first, LocationId second) const;
  // Bits of LocationSeen, seen at the moment.
  void see(LocationId location, std::uint32_t seen, const Moment& moment);

  // Merges what is known about a pair. An unordered pair begins with the lesser location, so that
  // it is the same in every file.
  std::uint32_t add_pair(const Pair& pair);
  const std::vector<Pair>& pairs() const { return pairs_; }
  // The index, or the number of pairs if there is none.
  std::size_t find_pair(Metric metric, LocationId first, LocationId second) const;

  // kConcurrentMethods: how often, in one measurement. The largest number counts.
  void set_count(std::uint32_t pair, ShardId shard, std::uint64_t count);
  const std::map<std::pair<std::uint32_t, ShardId>, std::uint64_t>& counts() const {
    return counts_;
  }
  std::uint64_t count_of(std::uint32_t pair) const;  // the sum over the measurements

  // Why a pair cannot be covered, as far as the tool could prove it; the user decides. 0: a run
  // showed that it can be covered, which overrides all other reasons. Of several reasons, the
  // choice is deterministic.
  void propose(std::uint32_t pair, TextId reason);
  const std::map<std::uint32_t, TextId>& proposals() const { return proposals_; }

  // The index of the one with the same id, whose counts may grow, or of a new one.
  ShardId add_shard(const Shard& shard);
  // Identified by the file's name. False: there is one of that name with another hash.
  bool add_module(std::string_view path, std::uint64_t hash, bool is_scanned);

  // The modules must be scanned for locations again.
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

// A pair's key has no room for more than this.
inline constexpr std::uint32_t kMaxLocations = 1u << 28;

}  // namespace snag::coverage
