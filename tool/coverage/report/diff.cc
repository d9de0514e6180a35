#include "tool/coverage/report/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "tool/base/json.h"
#include "tool/base/text.h"
#include "tool/coverage/data/prune.h"
namespace snag::coverage {
namespace {

// What two files can be compared by.
struct Comparable {
  struct Known {
    bool is_covered = false;
    std::string text;
    int line = 0;  // of Metric::kLines
  };
  std::map<std::string, Known> known[kMetricCount];

  void add(Metric metric, const std::string& key, bool is_covered, std::string_view text,
           int line = 0) {
    Known& entry = known[static_cast<std::size_t>(metric)][key];
    entry.is_covered = entry.is_covered || is_covered;
    if (entry.text.empty()) entry.text = text;
    entry.line = line;
  }
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
    result.add(pair.metric, first + "; " + second, pair.is_covered(), wording.pair(pair));
  }
  for (LocationId id = 0; id < data.locations().size(); ++id) {
    const Location& location = data.locations()[id];
    for (const Place& place : location.frames) {
      if (place.file == 0 || place.line == 0) continue;
      const std::string& path = data.text(place.file);
      result.add(Metric::kLines,
                 fmt::format("{}:{}", is_exact ? path : base_name(path), place.line),
                 location.seen != 0, wording.file(place.file), place.line);
    }
    if ((location.seen & kSeenLock) == 0) continue;
    const std::string text = wording.lock(id);
    const Place& place = location.place();
    const std::string key = is_exact ? exact_key(id, data)
                                     : fmt::format("{}:{} {}", wording.file(place.file), place.line,
                                                   wording.function(place.function));
    for (const auto& [bit, word] : kLockSeen)
      result.add(Metric::kSync, fmt::format("{} {}", key, word), (location.seen & bit) != 0,
                 fmt::format("{}: {}", text, word));
  }
  return result;
}

// What is covered in `a` and not in `b`.
Diff::Side only_in(const Comparable& a, const Comparable& b) {
  Diff::Side side;
  for (std::size_t i = 0; i < kMetricCount; ++i) {
    for (const auto& [key, known] : a.known[i]) {
      if (!known.is_covered) continue;
      const auto other = b.known[i].find(key);
      if (other != b.known[i].end() && other->second.is_covered) continue;
      side.entries[i].push_back({known.text, other != b.known[i].end(), known.line});
    }
    std::sort(side.entries[i].begin(), side.entries[i].end(),
              [](const DiffEntry& x, const DiffEntry& y) {
                return std::tie(x.text, x.line) < std::tie(y.text, y.line);
              });
  }
  return side;
}

// A row for each file: "q.h: 31, 50-52".
std::string lines_text(const std::vector<DiffEntry>& lines) {
  std::string text;
  for (std::size_t begin = 0, end; begin < lines.size(); begin = end) {
    const bool is_first = begin == 0 || lines[begin - 1].text != lines[begin].text;
    if (is_first) text += fmt::format("{}  {}: ", begin == 0 ? "" : "\n", lines[begin].text);
    for (end = begin + 1; end < lines.size(); ++end) {
      if (lines[end].text != lines[begin].text || lines[end].line != lines[end - 1].line + 1) break;
    }
    text += fmt::format("{}{}", is_first ? "" : ", ", lines[begin].line);
    if (end > begin + 1) text += fmt::format("-{}", lines[end - 1].line);
  }
  return text + "\n";
}

std::string side_text(const Diff::Side& side, std::string_view word, std::uint32_t metrics) {
  std::string text;
  for_each_metric(metrics, [&](Metric metric) {
    const auto& entries = side.entries[static_cast<std::size_t>(metric)];
    if (entries.empty()) return;
    text += fmt::format("{}: {}\n", word,
                        counted(entries.size(), row_of(metric).singular, row_of(metric).plural));
    if (metric == Metric::kLines) {
      text += lines_text(entries);
      return;
    }
    for (const DiffEntry& entry : entries) text += fmt::format("  {}\n", entry.text);
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
      Json& list = json[std::string(short_name(metric))] = Json::array();
      for (const DiffEntry& entry : side.entries[static_cast<std::size_t>(metric)]) {
        const std::string text =
            entry.line == 0 ? entry.text : fmt::format("{}:{}", entry.text, entry.line);
        list.push_back({{"text", text}, {"known_to_the_other", entry.is_known}});
      }
    });
    return json;
  };
  const Json json = {{"version", 1},
                     {"different_builds", diff.by_readable_place},
                     {"added", side(diff.added)},
                     {"lost", side(diff.lost)}};
  return json_text(json, 2) + "\n";
}

}  // namespace snag::coverage
