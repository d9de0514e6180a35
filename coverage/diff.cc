#include "coverage/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "coverage/prune.h"
namespace snag::coverage {
namespace {

// What two files can be compared by.
struct Comparable {
  struct Known {
    bool is_covered = false;
    std::string text;
  };
  std::map<std::string, Known> pairs[kMetricCount];
  std::set<std::string> lines;  // executed
};

std::string exact_chain(const Chain& chain, const CoverData& data) {
  std::string key;
  for (const Place& place : chain) {
    key += fmt::format("{}:{}:{}:{} < ", data.text(place.file), place.line, place.column,
                       data.text(place.function));
  }
  return key;
}

std::string exact_key(LocationId id, const CoverData& data) {
  const Location& location = data.locations()[id];
  std::string key =
      fmt::format("{} {}", name_of(location.kind), exact_chain(location.frames, data));
  for (const Chain& caller : location.callers) key += "@ " + exact_chain(caller, data);
  return key;
}

Comparable comparable(const CoverData& data, bool is_exact) {
  const Wording wording(data);
  Comparable result;
  for (const Pair& pair : data.pairs()) {
    std::string first, second;
    if (is_exact) {
      first = exact_key(pair.first, data);
      second = exact_key(pair.second, data);
    } else {
      const PrunedPair form = pruned_form(pair, data, wording);
      first = form.first.text();
      second = form.second.text();
    }
    // Another build may have its files elsewhere, which changes the order of the locations.
    if (!is_ordered(pair.metric) && second < first) std::swap(first, second);
    const std::string key = first + "; " + second;
    auto& known = result.pairs[static_cast<std::size_t>(pair.metric)][key];
    known.is_covered = known.is_covered || pair.is_covered();
    if (known.text.empty()) known.text = wording.pair(pair);
  }
  for (const Location& location : data.locations()) {
    if (location.seen == 0) continue;
    for (const Place& place : location.frames) {
      if (place.file == 0) continue;
      const std::string& path = data.text(place.file);
      result.lines.insert(fmt::format("{}:{}", is_exact ? path : file_name(path), place.line));
    }
  }
  return result;
}

// What is covered in `a` and not in `b`.
Diff::Side only_in(const Comparable& a, const Comparable& b) {
  Diff::Side side;
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    for (const auto& [key, known] : a.pairs[i]) {
      if (!known.is_covered) continue;
      const auto other = b.pairs[i].find(key);
      if (other != b.pairs[i].end() && other->second.is_covered) continue;
      side.pairs[i].push_back({known.text, other != b.pairs[i].end()});
    }
    std::sort(side.pairs[i].begin(), side.pairs[i].end(),
              [](const DiffEntry& x, const DiffEntry& y) { return x.text < y.text; });
  }
  side.lines = static_cast<std::uint64_t>(
      std::count_if(a.lines.begin(), a.lines.end(),
                    [&](const std::string& line) { return !b.lines.contains(line); }));
  return side;
}

std::string side_text(const Diff::Side& side, std::string_view word, std::uint32_t metrics) {
  std::string text;
  for_each_metric(metrics, [&](Metric metric) {
    const auto& pairs = side.pairs[static_cast<std::size_t>(metric)];
    if (metric == Metric::kLines && side.lines > 0)
      text += fmt::format("{}: {} executed\n", word, counted(side.lines, "line", "lines"));
    if (pairs.empty()) return;
    text += fmt::format("{}: {} {}\n", word, grouped(pairs.size()), long_name(metric));
    for (const DiffEntry& entry : pairs) text += fmt::format("  {}\n", entry.text);
  });
  return text;
}

}  // namespace

Diff diff(const CoverData& before, const CoverData& after) {
  Diff result;
  const bool is_exact = before.build.hash == after.build.hash;
  result.by_readable_place = !is_exact;
  const Comparable x = comparable(before, is_exact);
  const Comparable y = comparable(after, is_exact);
  result.added = only_in(y, x);
  result.lost = only_in(x, y);
  return result;
}

std::string diff_text(const Diff& diff, std::uint32_t metrics) {
  std::string text;
  if (diff.by_readable_place) {
    text +=
        "the files are of different builds: compared by file, line and function, so code that has "
        "moved is both lost and added\n";
  }
  const std::string added = side_text(diff.added, "added", metrics);
  const std::string lost = side_text(diff.lost, "lost", metrics);
  if (added.empty() && lost.empty()) return text + "no difference\n";
  return text + added + lost;
}

std::string diff_json(const Diff& diff, std::uint32_t metrics) {
  using Json = nlohmann::ordered_json;
  const auto side = [&](const Diff::Side& side) {
    Json json = Json::object();
    for_each_metric(metrics, [&](Metric metric) {
      if (metric == Metric::kLines) json["lines"] = side.lines;
      if (!has_pairs(metric)) return;
      Json& list = json[std::string(short_name(metric))] = Json::array();
      for (const DiffEntry& entry : side.pairs[static_cast<std::size_t>(metric)])
        list.push_back({{"text", entry.text}, {"known_to_the_other", entry.is_known}});
    });
    return json;
  };
  const Json json = {{"version", 1},
                     {"different_builds", diff.by_readable_place},
                     {"added", side(diff.added)},
                     {"lost", side(diff.lost)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace snag::coverage
