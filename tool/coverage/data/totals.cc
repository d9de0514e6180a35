#include "tool/coverage/data/totals.h"

#include <algorithm>
#include <tuple>

#include "tool/binary/symbolizer.h"

namespace snag::coverage {
namespace {

class Counter {
 public:
  Counter(const CoverData& data, const Pruned& pruned, const Wording& wording)
      : data_(data), pruned_(pruned), wording_(wording), file_index_(data.text_count(), kNone) {}

  Totals count() {
    for (const Location& location : data_.locations()) count_location(location);
    for (std::size_t i = 0; i < data_.pairs().size(); ++i) count_pair(i);
    for (FileScore& file : totals_.files) finish(file);
    const auto& modules = data_.modules();
    totals_.knows_all_code =
        !modules.empty() && std::all_of(modules.begin(), modules.end(),
                                        [](const ModuleFile& m) { return m.is_scanned; });
    // Of pairs, the targets may be unknown (count_pair); of single locations they are all known.
    for (const MetricRow& row : kMetricRows) {
      if (!row.has(kOfPairs)) totals_.has_target[static_cast<std::size_t>(row.metric)] = true;
    }
    std::sort(totals_.files.begin(), totals_.files.end(), [](const auto& a, const auto& b) {
      return std::tie(a.is_library, a.name, a.path) < std::tie(b.is_library, b.name, b.path);
    });
    return std::move(totals_);
  }

 private:
  static constexpr std::uint32_t kNone = UINT32_MAX;

  FileScore& file(TextId id) {
    std::uint32_t& index = file_index_[id];
    if (index == kNone) {
      index = static_cast<std::uint32_t>(totals_.files.size());
      FileScore& file = totals_.files.emplace_back();
      file.id = id;
      file.path = data_.text(id);
      file.name = id == 0 ? "(no debug information)" : wording_.file(id);
      binary::Frame frame;
      frame.file = file.path;
      file.is_library = !binary::is_user_frame(frame) || file.path.starts_with("/usr/include/");
    }
    return totals_.files[index];
  }

  static Score& score(std::array<Score, kMetricCount>& scores, Metric metric) {
    return scores[static_cast<std::size_t>(metric)];
  }

  void count_location(const Location& location) {
    const bool is_executed = location.seen != 0;
    for (const Place& place : location.frames) {
      if (place.file == 0 || place.line == 0) continue;
      LineScore& line = file(place.file).lines[place.line];
      line.is_executed = line.is_executed || is_executed;
    }
    // A function that was called executes something: its entry is not always measured.
    const Place& outermost = location.frames.back();
    if (outermost.function != 0) {
      auto& known = functions_[{outermost.file, outermost.function, outermost.function_line}];
      const int line = outermost.function_line != 0 ? outermost.function_line : outermost.line;
      known.line = known.line == 0 ? line : std::min(known.line, line);
      known.is_executed = known.is_executed || is_executed;
    }
    if ((location.seen & kSeenLock) != 0) {
      Score score;
      score.target = 2;
      score.covered = ((location.seen & kSeenBlocked) != 0 ? 1 : 0) +
                      ((location.seen & kSeenBlocking) != 0 ? 1 : 0);
      add(Metric::kSync, location.place().file, location.place().file, score);
    }
  }

  void add(Metric metric, TextId first, TextId second, const Score& by) {
    score(totals_.scores, metric).add(by);
    score(file(first).scores, metric).add(by);
    if (second != first) score(file(second).scores, metric).add(by);
    if (file(first).is_library || file(second).is_library)
      score(totals_.library_scores, metric).add(by);
  }

  void count_pair(std::size_t index) {
    const Pair& pair = data_.pairs()[index];
    const bool is_pruned = pruned_.is_pruned(index);
    Score by;
    if (pair.is_covered()) {
      by.covered = by.target = 1;
      by.contradicted = is_pruned ? 1 : 0;
    } else if (is_pruned) {
      by.pruned = 1;
    } else {
      by.target = 1;
    }
    if ((pair.state & (kPairTarget | kStaticTarget)) != 0)
      totals_.has_target[static_cast<std::size_t>(pair.metric)] = true;
    const Place& first = data_.locations()[pair.first].place();
    const Place& second = data_.locations()[pair.second].place();
    add(pair.metric, first.file, second.file, by);
    if (pair.metric == Metric::kLocationPairs && first.file != 0 && first.line != 0)
      file(first.file).lines[first.line].pairs.push_back(static_cast<std::uint32_t>(index));
  }

  void finish(FileScore& file) {
    for (const auto& [number, line] : file.lines) {
      Score& lines = score(file.scores, Metric::kLines);
      ++lines.target;
      lines.covered += line.is_executed ? 1 : 0;
    }
    score(totals_.scores, Metric::kLines).add(score(file.scores, Metric::kLines));
    if (file.is_library)
      score(totals_.library_scores, Metric::kLines).add(score(file.scores, Metric::kLines));
    const auto end = functions_.lower_bound({file.id + 1, 0, 0});
    for (auto at = functions_.lower_bound({file.id, 0, 0}); at != end; ++at) {
      const auto& [key, function] = *at;
      ++file.functions.target;
      file.functions.covered += function.is_executed ? 1 : 0;
      file.function_list.push_back(
          {data_.text(std::get<1>(key)), function.line, function.is_executed});
    }
    std::sort(file.function_list.begin(), file.function_list.end(),
              [](const auto& a, const auto& b) {
                return std::tie(a.line, a.name) < std::tie(b.line, b.name);
              });
    totals_.functions.add(file.functions);
  }

  const CoverData& data_;
  const Pruned& pruned_;
  const Wording& wording_;
  Totals totals_;
  std::vector<std::uint32_t> file_index_;  // by text
  // By file, name, and where it is declared: overloads are different functions.
  std::map<std::tuple<TextId, TextId, int>, FunctionScore> functions_;
};

}  // namespace

void Score::add(const Score& other) {
  covered += other.covered;
  target += other.target;
  pruned += other.pruned;
  contradicted += other.contradicted;
}

Totals count_totals(const CoverData& data, const Pruned& pruned, const Wording& wording) {
  return Counter(data, pruned, wording).count();
}

}  // namespace snag::coverage
