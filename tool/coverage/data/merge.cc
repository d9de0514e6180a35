#include "tool/coverage/data/merge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "tool/base/text.h"

namespace snag::coverage {
namespace {

template <class Less>
std::vector<std::uint32_t> sorted_indices(std::size_t count, Less less) {
  std::vector<std::uint32_t> result(count);
  std::iota(result.begin(), result.end(), 0u);
  std::sort(result.begin(), result.end(), less);
  return result;
}

// Adds all data of one to another, in an order that does not depend on the numbers.
class Absorber {
 public:
  Absorber(const CoverData& from, CoverData& into) : from_(from), into_(into) {}

  void absorb() {
    add_build();
    add_shards();
    add_locations();
    add_pairs();
  }

 private:
  TextId translated(TextId text) { return into_.text_id(from_.text(text)); }
  Moment translated(Moment moment) const {
    if (moment.shard != kNoShard) moment.shard = shards_[moment.shard];
    return moment;
  }
  void translate(Chain& chain) {
    for (Place& place : chain) {
      place.file = translated(place.file);
      place.function = translated(place.function);
    }
  }

  void add_build() {
    // A program may have been moved; of two names, always the same one.
    const std::string& known = into_.build.program;
    const std::string program =
        known.empty() ? from_.build.program : std::min(known, from_.build.program);
    into_.build = from_.build;
    into_.build.program = program;
    const auto name = [&](std::uint32_t i) {
      return base_name(from_.text(from_.modules()[i].path));
    };
    for (const std::uint32_t i :
         sorted_indices(from_.modules().size(),
                        [&](std::uint32_t a, std::uint32_t b) { return name(a) < name(b); })) {
      const ModuleFile& module = from_.modules()[i];
      into_.add_module(from_.text(module.path), module.hash, module.is_scanned);
    }
  }

  void add_shards() {
    const auto& shards = from_.shards();
    shards_.resize(shards.size());
    for (const std::uint32_t i : sorted_indices(
             shards.size(),
             [&](std::uint32_t a, std::uint32_t b) { return shards[a].id < shards[b].id; }))
      shards_[i] = into_.add_shard(shards[i]);
  }

  void add_locations() {
    const auto& locations = from_.locations();
    locations_.resize(locations.size());
    for (const std::uint32_t i :
         sorted_indices(locations.size(),
                        [&](std::uint32_t a, std::uint32_t b) { return from_.is_less(a, b); })) {
      Location location = locations[i];
      translate(location.frames);
      for (Chain& caller : location.callers) translate(caller);
      const std::uint32_t seen = location.seen;
      const LocationId id = into_.add_location(std::move(location));
      locations_[i] = id;
      if (seen == 0) continue;
      for (std::size_t which = 0; which < kMomentCount; ++which) {
        if (const std::uint32_t bits = seen & kMomentBits[which]; bits != 0)
          into_.see(id, bits, translated(locations[i].moments[which]));
      }
    }
  }

  void add_pairs() {
    const auto& pairs = from_.pairs();
    std::vector<std::uint32_t> ids(pairs.size());
    const auto key = [&](std::uint32_t i) {
      return std::tuple(pairs[i].metric, locations_[pairs[i].first], locations_[pairs[i].second]);
    };
    for (const std::uint32_t i : sorted_indices(
             pairs.size(), [&](std::uint32_t a, std::uint32_t b) { return key(a) < key(b); })) {
      Pair pair = pairs[i];
      pair.first = locations_[pair.first];
      pair.second = locations_[pair.second];
      pair.variable = translated(pair.variable);
      pair.moment = translated(pair.moment);
      ids[i] = into_.add_pair(pair);
    }
    for (const auto& [key, count] : from_.counts())
      into_.set_count(ids[key.first], shards_[key.second], count);
    std::map<std::uint32_t, TextId> proposals;
    for (const auto& [pair, reason] : from_.proposals()) proposals.emplace(ids[pair], reason);
    for (const auto& [pair, reason] : proposals) into_.propose(pair, translated(reason));
  }

  const CoverData& from_;
  CoverData& into_;
  std::vector<ShardId> shards_;        // by those of `from_`
  std::vector<LocationId> locations_;  // the same
};

}  // namespace

std::string measured_as(const Build& build) {
  std::string text = fmt::format("--context {}", build.context);
  for (const std::string& pattern : build.ignored) text += fmt::format(" --ignore {}", pattern);
  return text;
}

Expected<void> check_same_build(const CoverData& a, const std::string& a_name, const CoverData& b,
                                const std::string& b_name) {
  const auto other_build = [&](std::string_view what) {
    return usage_error(
        fmt::format("'{}' and '{}' are of different builds of {}: measure both with the same "
                    "build, or keep them in two files",
                    a_name, b_name, what));
  };
  if (a.build.hash != b.build.hash) {
    const std::string_view program = base_name(a.build.program), other = base_name(b.build.program);
    if (program == other) return other_build(program);
    return usage_error(
        fmt::format("'{}' is of the program {} and '{}' of {}: keep them in two files", a_name,
                    program, b_name, other));
  }
  for (const ModuleFile& x : a.modules()) {
    for (const ModuleFile& y : b.modules()) {
      const std::string_view name = base_name(a.text(x.path));
      if (name == base_name(b.text(y.path)) && x.hash != y.hash) return other_build(name);
    }
  }
  if (a.build.context != b.build.context || a.build.ignored != b.build.ignored) {
    return usage_error(fmt::format(
        "'{}' was measured with {} and '{}' with {}: what they count is not the same, keep them in "
        "two files",
        a_name, measured_as(a.build), b_name, measured_as(b.build)));
  }
  return {};
}

CoverData in_order(const CoverData& data) {
  CoverData result;
  Absorber(data, result).absorb();
  result.is_complete = data.is_complete;
  return result;
}

CoverData merge(const CoverData& a, const CoverData& b) {
  CoverData both;
  Absorber(a, both).absorb();
  Absorber(b, both).absorb();
  both.is_complete = a.is_complete && b.is_complete;
  return in_order(both);
}

}  // namespace snag::coverage
