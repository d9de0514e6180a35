#include "tool/coverage/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "tool/binary/place.h"
#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/coverage/measure/collector.h"
#include "tool/coverage/measure/ignore.h"

namespace snag::coverage {
namespace {

// What the traced runs show, in terms of the data file.
class Explainer {
 public:
  Explainer(ReadCover read, TracedRuns traced)
      : data_(std::move(read.data)),
        traced_(std::move(traced)),
        collector_(data_, kNoShard, symbolizer_),
        variables_(symbolizer_) {}

  Expected<void> explain(Explanation& to) {
    history::HistoryOptions options;
    options.context = data_.build.context;
    options.number_of = [this](const history::CodeLocation& location) {
      return number_of(location);
    };
    if (!data_.build.ignored.empty()) {
      Places places(data_, symbolizer_);
      auto ignored = Ignored(data_, places, data_.build.ignored).find(data_.build.program);
      if (!ignored) return tl::unexpected(ignored.error());
      options.ignored = {ignored->begin(), ignored->end()};
    }
    PairAnalysis analysis(options);
    for (const history::TracedRun& run : traced_.trace.runs()) analysis.add(run);
    if (error_) return tl::unexpected(*error_);

    std::map<std::uint32_t, PairFacts> facts_of;  // by pair
    for (PairFacts& facts : analysis.uncovered()) {
      const std::size_t index = data_.find_pair(Metric::kLocationPairs, facts.first, facts.second);
      if (index < data_.pairs().size())
        facts_of.emplace(static_cast<std::uint32_t>(index), std::move(facts));
    }
    for (std::uint32_t i = 0; i < data_.pairs().size(); ++i) {
      const Pair& pair = data_.pairs()[i];
      if (pair.metric != Metric::kLocationPairs || pair.is_covered()) continue;
      ++to.uncovered;
      if (analysis.is_covered(pair.first, pair.second)) {
        ++to.now_covered;
        to.possible.push_back(i);
      } else if (const auto found = facts_of.find(i); found != facts_of.end()) {
        to.pairs.push_back(describe(i, found->second));
        if (to.pairs.back().reason.empty()) to.possible.push_back(i);
      } else {
        ++to.unseen;
      }
    }
    to.runs = traced_.runs;
    to.failed = traced_.failed;
    to.is_cut = traced_.trace.lost() != 0;
    return {};
  }

 private:
  // The location in the data; locations that it does not have get numbers after its own.
  std::uint32_t number_of(const history::CodeLocation& location) {
    const auto [entry, is_new] = numbers_.try_emplace(location, 0);
    if (!is_new) return entry->second;
    auto found = collector_.locate(location.pc, location.callers, traced_.modules);
    if (!found) error_ = found.error();
    entry->second =
        found && *found ? **found : kMaxLocations + static_cast<std::uint32_t>(numbers_.size());
    return entry->second;
  }

  ExplainedPair describe(std::uint32_t pair, const PairFacts& facts) {
    const auto name = [this](const history::CodeLocation& location) { return place(location); };
    ExplainedPair result{pair, facts, reason(facts, name), {}, {}, {}};
    const auto add = [](std::vector<std::string>& list, std::string text) {
      if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(std::move(text));
    };
    for (const CommonLock& lock : facts.common_locks) {
      const auto global = variables_.global(traced_.modules, lock.address, 1);
      const std::string what = global && global->certain ? global->text + ", taken" : "taken";
      const std::string first = place(lock.first_taken), second = place(lock.second_taken);
      add(result.both_locks,
          fmt::format("{} at {}{}{}", what, first, first == second ? "" : " and at " + second,
                      lock.excludes ? "" : ", by both for reading only"));
    }
    for (const history::CodeLocation& lock : facts.first_locks)
      add(result.first_locks, place(lock));
    for (const history::CodeLocation& lock : facts.second_locks)
      add(result.second_locks, place(lock));
    return result;
  }

  // "q.cc:31" of the user's own code.
  std::string place(const history::CodeLocation& location) {
    std::vector<ModulePc> pcs{location.pc};
    pcs.insert(pcs.end(), location.callers.begin(), location.callers.end());
    return binary::place_text(binary::user_frame_of_code(symbolizer_, traced_.modules, pcs));
  }

  CoverData data_;
  TracedRuns traced_;
  binary::Symbolizer symbolizer_;
  Collector collector_;
  binary::Variables variables_;
  std::map<history::CodeLocation, std::uint32_t> numbers_;
  std::optional<Error> error_;
};

std::string access_text(const NearAccess& access, const CoverData& data, const Wording& wording) {
  const std::string where = access.location < data.locations().size()
                                ? wording.location(access.location)
                                : "a place that the data file does not have";
  return fmt::format("T{} {} at {}", access.thread,
                     access.writes ? (access.reads ? "updates" : "writes") : "reads", where);
}

}  // namespace

Expected<Explanation> explain(const ExplainOptions& options) {
  std::error_code ignored;
  if (!std::filesystem::exists(options.file, ignored)) {
    return usage_error(
        fmt::format("there is no '{}': measure first, by snag cover -- program", options.file));
  }
  auto read = read_cover(options.file);
  if (!read) return tl::unexpected(read.error());
  Build build = read->data.build;
  build.program = options.runs.program.path;
  build.hash = options.program_hash;
  auto file = DataFile::open(options.file, build);
  if (!file) return tl::unexpected(file.error());
  // A copy to look locations up in, which adds those that are not there; with the same numbers.
  read = parse_cover(format_cover((*file)->data()), options.file);
  if (!read) return tl::unexpected(read.error());
  auto traced = trace_runs(options.runs);
  if (!traced) return tl::unexpected(traced.error());
  Explanation explanation;
  explanation.file = std::move(*file);
  Explainer explainer(std::move(*read), std::move(*traced));
  if (auto done = explainer.explain(explanation); !done) return tl::unexpected(done.error());
  CoverData& data = explanation.file->data();
  for (const ExplainedPair& pair : explanation.pairs) {
    if (!pair.reason.empty()) data.propose(pair.pair, data.text_id(pair.reason));
  }
  for (const std::uint32_t pair : explanation.possible) data.propose(pair, 0);
  return explanation;
}

std::string explanation_text(const Explanation& explanation, const CoverData& data) {
  const Wording wording(data);
  std::string text;
  for (const ExplainedPair& explained : explanation.pairs) {
    const PairFacts& facts = explained.facts;
    text += wording.pair(data.pairs()[explained.pair]) + "\n";
    if (!explained.reason.empty())
      text += fmt::format("    seems impossible: {}\n", explained.reason);
    for (const std::string& lock : explained.both_locks) {
      text += fmt::format("    under one lock{}: {}\n",
                          facts.always_common_lock ? "" : ", but not always", lock);
    }
    if (explained.both_locks.empty()) {
      const auto list = [](const std::vector<std::string>& locks) {
        return locks.empty() ? std::string("none")
                             : fmt::format("taken at {}", fmt::join(locks, ", "));
      };
      text += fmt::format("    locks at the first: {}; at the second: {}\n",
                          list(explained.first_locks), list(explained.second_locks));
    }
    if (!facts.nearest) {
      text += "    never in this order\n";
      continue;
    }
    const NearestSchedule& nearest = *facts.nearest;
    text += fmt::format("    nearest: run {}, with {} between\n", nearest.run,
                        counted(nearest.between, "access", "accesses"));
    text += fmt::format("        {}\n", access_text(nearest.first, data, wording));
    for (const NearAccess& access : nearest.accesses)
      text += fmt::format("          {}\n", access_text(access, data, wording));
    if (nearest.between > nearest.accesses.size())
      text += fmt::format("          ... {} more\n", nearest.between - nearest.accesses.size());
    text += fmt::format("        {}\n", access_text(nearest.second, data, wording));
  }
  return text;
}

}  // namespace snag::coverage
