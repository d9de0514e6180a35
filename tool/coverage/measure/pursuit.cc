#include "tool/coverage/measure/pursuit.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "tool/base/names.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/merge.h"
#include "tool/coverage/data/wording.h"
#include "tool/coverage/measure/cover_places.h"
#include "tool/coverage/measure/measure.h"
#include "tool/session/signature.h"

namespace snag::coverage {
namespace {

// Where the instructions of a location are.
using Instructions = std::unordered_map<LocationId, std::vector<ModulePc>>;

// Only in the program itself: the next process may have other modules.
Instructions find_instructions(CoverData& data, const std::string& program,
                               binary::Symbolizer& symbolizer) {
  Instructions result;
  Places places(data, symbolizer);
  for (const binary::CallSite& site : places.call_sites(program)) {
    if (site.kind == LocationKind::kEntry) continue;
    Location location;
    location.kind = site.kind;
    location.frames = places.chain(program, site.return_address);
    if (location.frames.empty()) continue;
    location.shown = places.shown(location.frames);
    const std::size_t known = data.locations().size();
    const LocationId id = data.add_location(std::move(location));
    if (id < known) result[id].push_back(make_module_pc(0, site.return_address));
  }
  return result;
}

std::optional<WantedPair> wanted_pair(const Pair& pair, const Instructions& instructions) {
  WantedPair wanted{};
  for (const int side : {0, 1}) {
    const auto found = instructions.find(side == 0 ? pair.first : pair.second);
    if (found == instructions.end()) return std::nullopt;
    for (const ModulePc pc : found->second) {
      if (wanted.count[side] < kMaxWantedPcs) wanted.pcs[side][wanted.count[side]++] = pc;
    }
  }
  return wanted;
}

std::vector<ModulePc> places_of(const WantedPair& wanted) {
  std::vector<ModulePc> result;
  for (const int side : {0, 1})
    result.insert(result.end(), wanted.pcs[side], wanted.pcs[side] + wanted.count[side]);
  return result;
}

class Pursuit {
 public:
  Pursuit(const PursuitOptions& options, binary::Symbolizer& symbolizer, const PursuitHooks& hooks)
      : options_(options), symbolizer_(symbolizer), hooks_(hooks) {}

  Expected<PursuitResult> run();

 private:
  // True if the search should continue.
  Expected<bool> pursue_one(std::size_t number, std::size_t count, const Pair& pair);
  Expected<void> pursue_all(const CoverData& data, const Pruned& pruned);
  bool is_covered_now(const Pair& pair) const;
  // Keeps failures that are not known yet; false if the search should end.
  bool take_findings(explore::ExploreResult& explored, Pursued& pursued);
  // Counts what is in the data file now.
  void settle();
  bool is_known(const session::FailedRun& run);

  const PursuitOptions& options_;
  binary::Symbolizer& symbolizer_;
  const PursuitHooks& hooks_;
  MeasureOptions measure_options_;
  MeasureHooks measure_hooks_;
  std::unique_ptr<Measurement> measurement_;
  binary::ModuleMap modules_;
  Instructions instructions_;
  std::optional<Wording> wording_;
  Clock::time_point begin_ = Clock::now();
  std::set<std::string> known_, new_;  // signatures of failures: before this pair, and with it
  std::map<std::string, std::uint64_t> failed_;  // runs for this pair, by how they ended
  std::vector<Pair> missing_;
  PursuitResult result_;
};

// Each failure is reported once, whatever pair the run was after.
bool Pursuit::is_known(const session::FailedRun& run) {
  if (run.covered) return false;
  ++failed_[std::string(name_of(run.kind))];
  std::string signature = session::failure_signature(run, symbolizer_);
  if (known_.contains(signature)) return true;
  new_.insert(std::move(signature));
  return false;
}

bool Pursuit::is_covered_now(const Pair& pair) const {
  const CoverData& data = measurement_->data();
  const std::size_t index = data.find_pair(pair.metric, pair.first, pair.second);
  return index < data.pairs().size() && data.pairs()[index].is_covered();
}

Expected<bool> Pursuit::pursue_one(std::size_t number, std::size_t count, const Pair& pair) {
  Pursued pursued;
  pursued.text = wording_->pair(pair);
  const auto wanted = wanted_pair(pair, instructions_);
  if (!wanted) {
    pursued.end = Pursued::End::kUnknown;
    result_.pairs.push_back(std::move(pursued));
    return true;
  }
  explore::ExploreOptions explore = options_.explore;
  explore.settings.strategy = StrategyKind::kWantedPair;
  explore.wanted = *wanted;
  explore.points_at = places_of(*wanted);
  explore.cover_fd = measurement_->store().fd();
  explore.settings.seed += number;
  if (explore.time.count() > 0) explore.time -= Clock::now() - begin_;
  explore.is_enough = [](const session::FailedRun& run) { return run.covered; };
  explore.is_known = [this](const session::FailedRun& run) { return is_known(run); };
  explore::ExploreHooks explore_hooks;
  explore_hooks.progress = [&](const explore::Totals& totals) {
    hooks_.progress(number, count, totals.runs);
  };
  explore_hooks.should_stop = hooks_.should_stop;
  explore::ExploreResult explored =
      explore::Explorer(explore, symbolizer_, explore_hooks).explore();
  if (explored.error && explored.totals.runs == 0) return tl::unexpected(*explored.error);
  if (!explored.modules.modules().empty()) modules_ = explored.modules;
  pursued.runs = explored.totals.runs;
  result_.runs += explored.totals.runs;
  const bool goes_on = take_findings(explored, pursued);
  result_.interrupted = explored.interrupted;
  result_.pairs.push_back(std::move(pursued));
  if (auto taken = measurement_->take_over_now(modules_); !taken)
    return tl::unexpected(taken.error());
  return goes_on && !explored.interrupted;
}

bool Pursuit::take_findings(explore::ExploreResult& explored, Pursued& pursued) {
  std::uint64_t runs = explored.totals.runs;
  for (const auto& [kind, times] : failed_) {
    for (std::uint64_t i = 0; i < times && runs > 0; ++i, --runs) measurement_->count_run(kind);
  }
  for (; runs > 0; --runs) measurement_->count_run("");
  bool goes_on = !explored.error && (failed_.empty() || options_.explore.keep_going);
  failed_.clear();
  known_.merge(new_);
  for (explore::Finding& finding : explored.findings) {
    if (finding.run.covered) {
      pursued.end = Pursued::End::kCovered;
      pursued.trace_path = finding.trace_path;
      result_.covered.push_back(std::move(finding));
    } else {
      result_.failures.push_back(std::move(finding));
    }
  }
  return goes_on;
}

Expected<void> Pursuit::pursue_all(const CoverData& data, const Pruned& pruned) {
  for (std::size_t i = 0; i < data.pairs().size(); ++i) {
    const Pair& pair = data.pairs()[i];
    if (pair.metric != Metric::kLocationPairs || pruned.is_pruned(i)) continue;
    if (pair.is_covered())
      ++result_.before;
    else
      missing_.push_back(pair);
  }
  const auto time = options_.explore.time;
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    result_.out_of_time = time.count() > 0 && Clock::now() - begin_ >= time;
    if (result_.out_of_time) break;
    hooks_.progress(i, missing_.size(), 0);
    // (Including pairs that were covered by chance meanwhile: they have no trace yet.)
    auto goes_on = pursue_one(i, missing_.size(), missing_[i]);
    if (!goes_on) return tl::unexpected(goes_on.error());
    if (!*goes_on) break;
  }
  return {};
}

void Pursuit::settle() {
  for (std::size_t i = 0; i < missing_.size(); ++i) {
    const bool is_covered = is_covered_now(missing_[i]);
    if (i >= result_.pairs.size()) {
      if (is_covered)
        result_.pairs.push_back({wording_->pair(missing_[i]), Pursued::End::kOnTheWay, 0, ""});
      else
        ++result_.not_tried;
    } else if (is_covered && result_.pairs[i].end != Pursued::End::kCovered) {
      result_.pairs[i].end = Pursued::End::kOnTheWay;
    }
  }
  const CoverData& data = measurement_->data();
  const Pruned pruned = find_pruned(options_.pruned, data, Wording(data));
  for (std::size_t i = 0; i < data.pairs().size(); ++i) {
    const Pair& pair = data.pairs()[i];
    if (pair.metric != Metric::kLocationPairs || pruned.is_pruned(i)) continue;
    ++result_.target;
    if (pair.is_covered()) ++result_.after;
  }
}

Expected<PursuitResult> Pursuit::run() {
  measure_options_.program = options_.explore.program;
  measure_options_.program_hash = options_.explore.program_hash;
  measure_options_.file = options_.file;
  measure_options_.control.emplace();
  auto existing = read_cover(options_.file);
  if (!existing) return tl::unexpected(existing.error());
  if (existing->data.build.context != 0) {
    return usage_error(
        fmt::format("'{}' was measured with --context: the strategy cover needs a file without",
                    options_.file));
  }
  measure_options_.ignored = existing->data.build.ignored;
  auto measurement = Measurement::begin(measure_options_, measure_hooks_);
  if (!measurement) return tl::unexpected(measurement.error());
  measurement_ = std::move(*measurement);

  // A copy, since new measurements go into the original. The numbers in both are the same.
  CoverData before = in_order(existing->data);
  wording_.emplace(before);
  const Pruned pruned = find_pruned(options_.pruned, before, *wording_);
  instructions_ = find_instructions(before, options_.explore.program.path, symbolizer_);
  const auto pursued = pursue_all(before, pruned);
  if (auto finished = measurement_->finish(modules_); !finished && pursued && result_.runs > 0)
    return tl::unexpected(finished.error());
  if (!pursued) return tl::unexpected(pursued.error());
  settle();
  return std::move(result_);
}

}  // namespace

Expected<PursuitResult> pursue(const PursuitOptions& options, binary::Symbolizer& symbolizer,
                               const PursuitHooks& hooks) {
  return Pursuit(options, symbolizer, hooks).run();
}

}  // namespace snag::coverage
