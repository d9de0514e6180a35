// Data for tests: a small queue, and random data with all that a file can have.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "tool/coverage/data/data.h"

namespace snag::coverage::example {

inline Location location(CoverData& data, LocationKind kind, const std::string& file, int line,
                         int column, const std::string& function, int function_line) {
  Location result;
  result.kind = kind;
  result.frames = {{data.text_id(file), data.text_id(function), line, column, function_line}};
  return result;
}

// Two measurements of a queue that is filled and emptied by two threads.
inline CoverData queue() {
  CoverData data;
  data.build = {"/home/u/queue_test", 0x1234, 0, {}};
  data.add_module("/home/u/queue_test", 0x1234, true);
  Shard first;
  first.id = 1;
  first.begin_ms = 1'000'000;
  first.metrics = kAllMetrics;
  first.counts = {1'500'000, 1, 0, 400, 0, 0, 0, 0};
  Shard second = first;
  second.id = 2;
  second.begin_ms = 2'000'000;
  second.is_controlled = true;
  second.counts = {2'000'000, 20, 1, 900, 0, 0, 3, 0};
  const ShardId a = data.add_shard(first), b = data.add_shard(second);

  const std::string header = "/home/u/q.h", source = "/home/u/queue_test.cc";
  const auto add = [&](LocationKind kind, const std::string& file, int line, int column,
                       const std::string& function, int function_line, std::uint32_t seen) {
    const LocationId id =
        data.add_location(location(data, kind, file, line, column, function, function_line));
    if (seen != 0) data.see(id, seen, {a, 1'000, 3, 0});
    return id;
  };
  const LocationId size_entry =
      add(LocationKind::kEntry, header, 30, 3, "Queue::size", 30, kSeenEntry);
  const LocationId push_entry =
      add(LocationKind::kEntry, header, 50, 3, "Queue::push", 50, kSeenEntry);
  add(LocationKind::kEntry, header, 60, 3, "Queue::clear", 60, 0);
  const LocationId read = add(LocationKind::kRead, header, 31, 12, "Queue::size", 30, kSeenRead);
  const LocationId write = add(LocationKind::kWrite, header, 52, 5, "Queue::push", 50, kSeenWrite);
  add(LocationKind::kWrite, header, 61, 5, "Queue::clear", 60, 0);
  const LocationId one =
      add(LocationKind::kUpdate, source, 8, 3, "main", 5, kSeenWrite | kSeenAtomic);
  const LocationId other =
      add(LocationKind::kUpdate, source, 8, 20, "main", 5, kSeenWrite | kSeenAtomic);
  const LocationId lock = add(LocationKind::kLock, header, 51, 9, "Queue::push", 50, kSeenLock);
  data.see(lock, kSeenBlocked, {b, 5'000, 20, 2});

  const TextId count = data.text_id("Queue::count_");
  const auto pair = [&](Metric metric, LocationId x, LocationId y, std::uint32_t state,
                        TextId variable, const Moment& moment) {
    return data.add_pair({metric, x, y, state, variable, moment});
  };
  constexpr std::uint32_t kTarget = kPairTarget, kBoth = kPairTarget | kPairCovered;
  pair(Metric::kLocationPairs, read, write, kBoth | kPairSecondWrites, count, {a, 2'000, 7, 0});
  const std::uint32_t missing =
      pair(Metric::kLocationPairs, write, read, kTarget | kPairFirstWrites, count, {});
  pair(Metric::kLocationPairs, write, write, kBoth | kPairFirstWrites | kPairSecondWrites, count,
       {b, 1'000'000, 30, 11});
  pair(Metric::kLocationPairs, one, other, kTarget | kPairFirstWrites | kPairSecondWrites,
       data.text_id("total"), {});
  pair(Metric::kDefUse, write, read, kBoth | kPairFirstWrites, count, {a, 3'000, 9, 0});
  pair(Metric::kMethodPairs, size_entry, push_entry, kPairCovered, 0, {a, 4'000, 10, 0});
  const std::uint32_t together =
      pair(Metric::kConcurrentMethods, push_entry, size_entry, kPairCovered, 0, {a, 4'000, 10, 0});
  data.set_count(together, a, 5);
  data.set_count(together, b, 7);
  data.propose(missing, data.text_id("both are made under one lock, in one critical section"));
  return data;
}

// Of one build, with locations, pairs and measurements drawn from a few, so that two of them have
// much in common.
inline CoverData random_data(std::mt19937& random) {
  const auto below = [&](unsigned n) { return static_cast<std::uint32_t>(random() % n); };
  CoverData data;
  data.build = {below(2) == 0 ? "/a/prog" : "/b/prog", 77, 1, {"assert"}};
  if (below(2) == 0) data.add_module("/a/prog", 77, below(2) == 0);
  if (below(2) == 0) data.add_module("/lib/libx.so", 78, below(2) == 0);
  for (std::uint32_t i = 0; i < 1 + below(3); ++i) {
    Shard shard;
    shard.id = below(5);
    shard.begin_ms = 1000 * shard.id;  // what does not change is the same everywhere
    shard.is_controlled = shard.id % 2 == 0;
    shard.metrics = below(kAllMetrics + 1);
    for (std::uint64_t& count : shard.counts) count = below(100);
    data.add_shard(shard);
  }
  const auto moment = [&] {
    return Moment{below(static_cast<unsigned>(data.shards().size())), below(50), below(50),
                  below(3)};
  };
  const auto chain = [&] {
    const char* const files[] = {"/s/a.cc", "/s/b.h", ""};
    const char* const functions[] = {"f", "ns::g", "odd 100%\n"};
    Chain result;
    for (std::uint32_t i = 0; i < 1 + below(2); ++i) {
      result.push_back({data.text_id(files[below(3)]), data.text_id(functions[below(3)]),
                        static_cast<int>(below(3)), static_cast<int>(below(2)),
                        static_cast<int>(below(2))});
    }
    return result;
  };
  for (std::uint32_t i = 0; i < 1 + below(12); ++i) {
    Location location;
    location.kind = static_cast<LocationKind>(below(static_cast<unsigned>(LocationKind::kCount)));
    location.frames = chain();
    location.shown = below(static_cast<unsigned>(location.frames.size()));
    if (below(2) == 0) location.callers.push_back(chain());
    const LocationId id = data.add_location(location);
    if (below(3) > 0) data.see(id, below(2 * kSeenBlocking), moment());
  }
  const auto some_location = [&] { return below(static_cast<unsigned>(data.locations().size())); };
  for (std::uint32_t i = 0; i < below(15); ++i) {
    Pair pair;
    pair.metric = static_cast<Metric>(below(4));
    pair.first = some_location();
    pair.second = some_location();
    pair.state = below(kAllPairState + 1);
    if (pair.is_covered()) pair.moment = moment();
    const char* const variables[] = {"", "x", "Queue::count_"};
    pair.variable = data.text_id(variables[below(3)]);
    const std::uint32_t index = data.add_pair(pair);
    if (pair.metric == Metric::kConcurrentMethods)
      data.set_count(index, below(static_cast<unsigned>(data.shards().size())), 1 + below(9));
    const char* const reasons[] = {"", "because", "therefore"};
    if (below(4) == 0) data.propose(index, data.text_id(reasons[below(3)]));
  }
  return data;
}

}  // namespace snag::coverage::example
