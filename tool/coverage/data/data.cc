#include "tool/coverage/data/data.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "tool/base/text.h"

namespace snag::coverage {
namespace {

constexpr std::array<std::string_view, static_cast<std::size_t>(LocationKind::kCount)> kKindNames =
    {"access", "read", "write", "update", "entry", "lock"};

std::uint64_t pair_key(Metric metric, LocationId first, LocationId second) {
  return static_cast<std::uint64_t>(metric) << 56 | std::uint64_t{first} << 28 | second;
}

void append_number(std::string& key, std::uint32_t number) {
  key.append(reinterpret_cast<const char*>(&number), sizeof(number));
}

void append_chain(std::string& key, const Chain& chain) {
  append_number(key, static_cast<std::uint32_t>(chain.size()));
  for (const Place& place : chain) {
    append_number(key, place.file);
    append_number(key, place.function);
    append_number(key, static_cast<std::uint32_t>(place.line));
    append_number(key, static_cast<std::uint32_t>(place.column));
  }
}

// Negative, 0 or positive: compares the texts, not their numbers.
int compare(const CoverData& data, const Chain& a, const Chain& b) {
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const Place& x = a[i];
    const Place& y = b[i];
    if (x.file != y.file) return data.text(x.file).compare(data.text(y.file));
    if (x.line != y.line) return x.line < y.line ? -1 : 1;
    if (x.column != y.column) return x.column < y.column ? -1 : 1;
    if (x.function != y.function) return data.text(x.function).compare(data.text(y.function));
  }
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return 0;
}

}  // namespace

std::string_view name_of(LocationKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

TextId CoverData::text_id(std::string_view text) {
  if (text.empty()) return 0;
  if (const auto found = text_ids_.find(text); found != text_ids_.end()) return found->second;
  const auto id = static_cast<TextId>(texts_.size());
  texts_.emplace_back(text);
  text_ids_.emplace(texts_.back(), id);
  return id;
}

std::string CoverData::key_of(const Location& location) const {
  std::string key;
  key.reserve(16 + 16 * location.frames.size());
  key.push_back(static_cast<char>(location.kind));
  append_chain(key, location.frames);
  for (const Chain& caller : location.callers) append_chain(key, caller);
  return key;
}

LocationId CoverData::add_location(Location location) {
  if (location.frames.empty()) location.frames.emplace_back();
  const auto id = static_cast<LocationId>(locations_.size());
  const auto [entry, is_new] = location_ids_.try_emplace(key_of(location), id);
  if (is_new) {
    location.shown =
        std::min(location.shown, static_cast<std::uint32_t>(location.frames.size() - 1));
    location.seen = 0;
    location.moments = {};
    locations_.push_back(std::move(location));
    return id;
  }
  // Fields that are not part of the key: of several values, always the same one.
  Location& known = locations_[entry->second];
  known.shown = std::min(known.shown, location.shown);
  for (std::size_t i = 0; i < known.frames.size(); ++i) {
    known.frames[i].function_line =
        std::max(known.frames[i].function_line, location.frames[i].function_line);
  }
  return entry->second;
}

bool CoverData::is_before(const Moment& a, const Moment& b) const {
  if (a.shard == kNoShard || b.shard == kNoShard) return b.shard == kNoShard && a.shard != kNoShard;
  const Shard& x = shards_[a.shard];
  const Shard& y = shards_[b.shard];
  const auto absolute = [](const Shard& shard, const Moment& moment) {
    return shard.begin_ms * 1000 + moment.time_us;
  };
  return std::tuple(absolute(x, a), x.id, a.time_us, a.run, a.calls) <
         std::tuple(absolute(y, b), y.id, b.time_us, b.run, b.calls);
}

void CoverData::see(LocationId id, std::uint32_t seen, const Moment& moment) {
  Location& location = locations_[id];
  const auto note = [&](LocationMoment which, bool is_seen) {
    Moment& known = location.moments[which];
    if (is_seen && is_before(moment, known)) known = moment;
  };
  note(kExecuted, seen != 0);
  for (std::size_t which = kExecuted + 1; which < kMomentCount; ++which)
    note(static_cast<LocationMoment>(which), (seen & kMomentBits[which]) != 0);
  location.seen |= seen;
}

bool CoverData::is_less(LocationId first, LocationId second) const {
  const Location& a = locations_[first];
  const Location& b = locations_[second];
  if (const int order = compare(*this, a.frames, b.frames); order != 0) return order < 0;
  if (a.kind != b.kind) return a.kind < b.kind;
  for (std::size_t i = 0; i < std::min(a.callers.size(), b.callers.size()); ++i) {
    if (const int order = compare(*this, a.callers[i], b.callers[i]); order != 0) return order < 0;
  }
  return a.callers.size() < b.callers.size();
}

std::uint32_t CoverData::add_pair(const Pair& added) {
  Pair pair = added;
  put_in_order(pair.metric, pair.first, pair.second);
  const auto id = static_cast<std::uint32_t>(pairs_.size());
  const auto [entry, is_new] =
      pair_ids_.try_emplace(pair_key(pair.metric, pair.first, pair.second), id);
  if (is_new) {
    pairs_.push_back(pair);
    return id;
  }
  Pair& known = pairs_[entry->second];
  known.state |= pair.state;
  if (is_before(pair.moment, known.moment)) known.moment = pair.moment;
  // Of several names, always the same one.
  if (pair.variable != 0 && (known.variable == 0 || text(pair.variable) < text(known.variable)))
    known.variable = pair.variable;
  return entry->second;
}

void CoverData::put_in_order(Metric metric, LocationId& first, LocationId& second) const {
  if (!is_ordered(metric) && is_less(second, first)) std::swap(first, second);
}

std::size_t CoverData::find_pair(Metric metric, LocationId first, LocationId second) const {
  put_in_order(metric, first, second);
  const auto found = pair_ids_.find(pair_key(metric, first, second));
  return found == pair_ids_.end() ? pairs_.size() : found->second;
}

void CoverData::set_count(std::uint32_t pair, ShardId shard, std::uint64_t count) {
  std::uint64_t& known = counts_[{pair, shard}];
  known = std::max(known, count);
}

std::uint64_t CoverData::count_of(std::uint32_t pair) const {
  std::uint64_t sum = 0;
  for (auto at = counts_.lower_bound({pair, 0}); at != counts_.end() && at->first.first == pair;
       ++at)
    sum += at->second;
  return sum;
}

void CoverData::propose(std::uint32_t pair, TextId reason) {
  const auto [known, is_new] = proposals_.try_emplace(pair, reason);
  if (!is_new && text(reason) < text(known->second)) known->second = reason;
}

ShardId CoverData::add_shard(const Shard& shard) {
  const auto next = static_cast<ShardId>(shards_.size());
  const auto [entry, is_new] = shard_ids_.try_emplace(shard.id, next);
  if (is_new) {
    shards_.push_back(shard);
    return next;
  }
  Shard& known = shards_[entry->second];
  known.metrics |= shard.metrics;
  for (std::size_t i = 0; i < shard.counts.size(); ++i)
    known.counts[i] = std::max(known.counts[i], shard.counts[i]);
  return entry->second;
}

bool CoverData::add_module(std::string_view path, std::uint64_t hash, bool is_scanned) {
  const std::string_view name = base_name(path);
  for (ModuleFile& module : modules_) {
    if (base_name(text(module.path)) != name) continue;
    if (module.hash != hash) return false;
    module.is_scanned = module.is_scanned || is_scanned;
    if (path < text(module.path)) module.path = text_id(path);
    return true;
  }
  modules_.push_back({text_id(path), hash, is_scanned});
  return true;
}

void CoverData::forget_scans() {
  for (ModuleFile& module : modules_) module.is_scanned = false;
}

std::uint32_t CoverData::metrics() const {
  std::uint32_t metrics = 0;
  for (const Shard& shard : shards_) metrics |= shard.metrics;
  return metrics;
}

}  // namespace snag::coverage
