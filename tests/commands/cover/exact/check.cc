// Compares what the program itself has recorded with what the full trace of the same run says, for
// every metric, in many controlled runs.
//
//   cover_exact [--schedules N] [--seed S] program...
//
// Each schedule is a process of its own with an empty store, with other settings from one to the
// next: strategy, schedule points, callers that count, ignored instructions; then all once more in
// one process and one store. Prints a line of JSON for each program, with what was compared in
// schedules without such settings; and the first differences, to standard error. Exit 1 if there is
// any.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/commands/cover/exact/recorded.h"
#include "tool/base/text.h"
#include "tool/binary/symbolizer.h"
#include "tool/coverage/explain/reference_checker.h"
#include "tool/coverage/measure/cover_store.h"
#include "tool/coverage/measure/traced_runs.h"

namespace {

using namespace snag;
using namespace snag::coverage;
using namespace snag::history;

constexpr std::uint64_t kMostEvents = 1 << 20;
constexpr int kMostShown = 4;  // of each metric and program

struct Settings {
  StrategyKind strategy;
  Points points;
  std::uint64_t seed, runs;
  std::uint32_t context;
  std::uint32_t metrics;
  bool target;
  std::set<ModulePc> ignored;
};

constexpr std::uint32_t kAllMetrics = (1u << static_cast<int>(Metric::kCount)) - 1;

Settings settings_for(std::uint64_t schedule, std::uint64_t seed) {
  constexpr StrategyKind kStrategies[] = {StrategyKind::kRandom, StrategyKind::kRandom,
                                          StrategyKind::kPct, StrategyKind::kPos,
                                          StrategyKind::kSurw};
  Settings settings{};
  settings.strategy = kStrategies[schedule % 5];
  settings.points = schedule % 7 == 6 ? Points::kSync : Points::kAll;
  settings.seed = seed * 1000 + schedule;
  settings.runs = 1;
  settings.context = schedule % 3 == 2 ? static_cast<std::uint32_t>(1 + schedule % 4) : 0;
  settings.metrics = schedule % 6 == 5 ? metric_bit(Metric::kLocationPairs) : kAllMetrics;
  settings.target = schedule % 12 != 11;
  return settings;
}

class Check {
 public:
  explicit Check(std::string path) : path_(std::move(path)) {}

  bool run(std::uint64_t schedules, std::uint64_t seed) {
    for (std::uint64_t i = 0; i < schedules; ++i) {
      Settings settings = settings_for(i, seed);
      if (i % 4 == 3) settings.ignored = some_locations(i);
      if (!compare(settings, fmt::format("schedule {}", i))) return false;
    }
    // Many runs in one store, with schedule points that are learned on the way.
    Settings together = settings_for(0, seed);
    together.points = Points::kShared;
    together.runs = schedules;
    if (!compare(together, fmt::format("{} schedules together", schedules))) return false;
    if (!check_full_file()) return false;
    const nlohmann::json row{{"program", base_name(path_)},
                             {"schedules", 2 * schedules},
                             {"events", events_},
                             {"lp", all_.location_pairs.size()},
                             {"lp target", all_.location_target.size()},
                             {"du", all_.def_use.size()},
                             {"du target", all_.def_use_target.size()},
                             {"mp", all_.method_pairs.size()},
                             {"cmp", all_.concurrent_methods.size()},
                             {"lines", all_.lines.size()},
                             {"sync", all_.locks.size()},
                             {"differences", differences_}};
    fmt::print("{}\n", row.dump());
    return differences_ == 0;
  }

 private:
  // A third of those that were executed so far.
  std::set<ModulePc> some_locations(std::uint64_t from) const {
    std::set<ModulePc> result;
    for (const auto& [location, seen] : all_.lines) {
      if ((location.pc / 5 + from) % 3 == 0 && module_of(location.pc) == 0)
        result.insert(location.pc);
    }
    return result;
  }

  bool compare(const Settings& settings, const std::string& what) {
    CoverConfig cover{};
    cover.metrics = settings.metrics;
    cover.context = settings.context;
    cover.target = settings.target ? 1 : 0;
    const std::vector<ModulePc> ignored(settings.ignored.begin(), settings.ignored.end());
    auto store = Store::create(cover, ignored);
    if (!store) return problem(store.error().message);

    TracedRunsOptions options;
    options.program = {path_, {path_}, ""};
    options.capacity = kMostEvents;
    Config& config = options.session.config;
    config.settings = without_checks();
    config.settings.strategy = settings.strategy;
    config.settings.points = settings.points;
    config.settings.seed = settings.seed;
    config.settings.heap_checks = settings.seed % 2 != 0;
    config.run_stride = 1;
    config.max_runs = settings.runs;
    config.cover_fd = store->fd();
    auto traced = trace_runs(options);
    if (!traced) return problem(traced.error().message);
    if (traced->failed != 0 || traced->runs != settings.runs || traced->trace.lost() != 0) {
      return problem(fmt::format("{}: {} runs, {} failed, {} events lost", what, traced->runs,
                                 traced->failed, traced->trace.lost()));
    }
    events_ += traced->trace.events().size();

    Oracle oracle;
    for (const TracedRun& run : traced->trace.runs())
      oracle.add(judge(run.events, settings.context, settings.ignored));
    const Oracle recorded = read_recorded(store->get(), traced->modules);
    if (settings.context == 0 && settings.ignored.empty()) all_.add(oracle);
    modules_ = &traced->modules;
    show(what, oracle, recorded, settings);
    modules_ = nullptr;
    return true;
  }

  // A trace that is too long for its file ends where it is full, and says so.
  bool check_full_file() {
    constexpr std::uint64_t kRoom = 64;
    TracedRunsOptions options;
    options.program = {path_, {path_}, ""};
    options.capacity = kRoom;
    options.session.config.max_runs = 1;
    options.session.config.settings = without_checks();
    auto traced = trace_runs(options);
    if (!traced) return problem(traced.error().message);
    const std::vector<TracedRun> runs = traced->trace.runs();
    if (traced->trace.lost() == 0 || traced->trace.events().size() != kRoom || runs.size() != 1 ||
        !runs[0].cut || runs[0].events.size() != kRoom - 1)
      return problem("a trace that does not fit is not told from one that does");
    return true;
  }

  bool problem(const std::string& message) {
    fmt::print(stderr, "{}: {}\n", path_, message);
    return false;
  }

  // ---- Differences. ----

  void show(const std::string& what, const Oracle& oracle, const Oracle& recorded,
            const Settings& settings) {
    const auto measured = [&](Metric metric) {
      return (settings.metrics & metric_bit(metric)) != 0;
    };
    if (measured(Metric::kLocationPairs)) {
      show_sets(what, "lp", oracle.location_pairs, recorded.location_pairs);
      if (settings.target)
        show_sets(what, "lp target", oracle.location_target, recorded.location_target);
    }
    if (measured(Metric::kDefUse)) {
      show_sets(what, "du", oracle.def_use, recorded.def_use);
      if (settings.target)
        show_sets(what, "du target", oracle.def_use_target, recorded.def_use_target);
    }
    if (measured(Metric::kMethodPairs))
      show_sets(what, "mp", oracle.method_pairs, recorded.method_pairs);
    if (measured(Metric::kConcurrentMethods))
      show_sets(what, "cmp", oracle.concurrent_methods, recorded.concurrent_methods);
    if (measured(Metric::kLines)) show_sets(what, "lines", oracle.lines, recorded.lines);
    if (measured(Metric::kSync)) show_sets(what, "sync", oracle.locks, recorded.locks);
  }

  template <class Set>
  void show_sets(const std::string& what, const char* metric, const Set& oracle,
                 const Set& recorded) {
    for (const auto& item : oracle) {
      if (std::find(recorded.begin(), recorded.end(), item) == recorded.end())
        tell(metric, fmt::format("{}, {}: not recorded: {}", what, metric, text(item)));
    }
    for (const auto& item : recorded) {
      if (std::find(oracle.begin(), oracle.end(), item) == oracle.end())
        tell(fmt::format("{} too much", metric),
             fmt::format("{}, {}: recorded, but did not happen: {}", what, metric, text(item)));
    }
  }

  void tell(const std::string& metric, const std::string& difference) {
    ++differences_;
    if (++shown_[metric] <= kMostShown)
      fmt::print(stderr, "{}: {}\n", base_name(path_), difference);
  }

  std::string text(ModulePc pc) {
    const std::size_t module = module_of(pc);
    if (module >= modules_->modules().size()) return fmt::format("{:x}", pc);
    const binary::ModuleInfo& info = modules_->modules()[module];
    const std::uint64_t offset = offset_of(pc);
    const binary::Frame* frame =
        binary::display_frame(symbolizer_.lookup_file(info.path, offset - 1));
    return fmt::format("{}:{} ({:x})", frame ? base_name(frame->file) : "?",
                       frame ? frame->line : 0, offset);
  }
  std::string text(const CodeLocation& location) {
    std::string result = text(location.pc);
    for (const ModulePc caller : location.callers) result += " < " + text(caller);
    return result;
  }
  std::string text(std::uint32_t bits) { return fmt::format("bits {:x}", bits); }
  template <class A, class B>
  std::string text(const std::pair<A, B>& pair) {
    if constexpr (std::is_same_v<std::remove_cv_t<A>, std::pair<ModulePc, ModulePc>>) {
      return fmt::format("{} {} times", text(pair.first), pair.second);
    } else {
      return fmt::format("{} then {}", text(pair.first), text(pair.second));
    }
  }

  std::string path_;
  binary::Symbolizer symbolizer_;
  const binary::ModuleMap* modules_ = nullptr;
  Oracle all_;
  std::uint64_t events_ = 0;
  std::uint64_t differences_ = 0;
  std::map<std::string, int> shown_;  // by metric
};

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t schedules = 20, seed = 1;
  int option = 1;
  for (; option + 1 < argc && argv[option][0] == '-'; option += 2) {
    const std::string name = argv[option];
    const std::uint64_t value = std::strtoull(argv[option + 1], nullptr, 10);
    if (name == "--schedules") {
      schedules = value;
    } else if (name == "--seed") {
      seed = value;
    } else {
      option = argc;
    }
  }
  if (option >= argc || schedules == 0) {
    fmt::print(stderr, "usage: cover_exact [--schedules N] [--seed S] program...\n");
    return 2;
  }
  bool equal = true;
  for (; option < argc; ++option) equal = Check(argv[option]).run(schedules, seed) && equal;
  return equal ? 0 : 1;
}
