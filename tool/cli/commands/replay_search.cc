#include "tool/cli/commands/replay_search.h"

#include <fmt/format.h>

#include "tool/base/names.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"

namespace snag::cli {

namespace {

// What fails in the search is what failed in the one that made the trace. A race, which an ordinary
// search only reports, counts if it is the failure of the trace.
RunSettings search_settings(const trace::Trace& trace) {
  RunSettings settings = trace.settings;
  settings.strategy = StrategyKind::kMix;
  settings.lock_order = false;  // only a warning
  if (trace.failure.kind != FailureKind::kRace) settings.races = Races::kOff;
  return settings;
}

// Whether the search found what the trace has. In the same program, races are told apart by their
// places.
bool is_of_trace(const session::FailedRun& run, const trace::Trace& trace,
                 std::uint64_t program_hash) {
  if (run.kind != trace.failure.kind || run.covered != trace.failure.covered) return false;
  if (run.kind != FailureKind::kRace || !run.race || trace.race_pcs[0] == 0 ||
      program_hash != trace.program_hash)
    return true;
  const ModulePc a = run.modules.to_module_pc(run.race->first.stack[0]);
  const ModulePc b = run.modules.to_module_pc(run.race->second.stack[0]);
  const ModulePc* wanted = trace.race_pcs;
  return (a == wanted[0] && b == wanted[1]) || (a == wanted[1] && b == wanted[0]);
}

}  // namespace

explore::ExploreResult search_again(const trace::Trace& trace, std::uint64_t program_hash,
                                    std::uint64_t runs, binary::Symbolizer& symbolizer,
                                    const std::function<bool()>& should_stop) {
  explore::ExploreOptions options;
  options.program = trace.program;
  options.program_hash = program_hash;
  options.settings = search_settings(trace);
  options.runs = runs;
  explore::ExploreHooks hooks;
  hooks.should_stop = should_stop;
  return explore::Explorer(options, symbolizer, hooks).explore();
}

int search_exit_code(const explore::ExploreResult& result) {
  if (!result.findings.empty()) {
    switch (result.findings.front().run.kind) {
      case FailureKind::kUnsupported:
        return kExitNothingRan;
      case FailureKind::kInternal:
        return kExitInternalError;
      default:
        return kExitFailureFound;
    }
  }
  if (result.error) return exit_code_of(*result.error);
  if (result.interrupted) return 128 + interrupted_by();
  return result.totals.runs == 0 ? kExitNothingRan : kExitClean;
}

std::string search_verdict(const explore::ExploreResult& result, const trace::Trace& trace,
                           std::uint64_t program_hash, const std::string& before) {
  const std::string_view kind = trace.failure.kind_name();
  const std::uint64_t runs = result.totals.runs;
  const std::string searched = fmt::format("{} other schedule{} (strategy mix, seed {})", runs,
                                           runs == 1 ? "" : "s", trace.settings.seed);
  if (!result.findings.empty()) {
    const session::FailedRun& run = result.findings.front().run;
    if (is_of_trace(run, trace, program_hash))
      return fmt::format("{}; the {} came back within {}", before, kind, searched);
    return fmt::format("{}; within {} there was another failure than the {} of the trace: {}: {}",
                       before, searched, kind, run.kind_name(), run.message);
  }
  if (result.error)
    return fmt::format("{}; the search ended early, after {}: {}", before, searched,
                       result.error->message);
  if (result.interrupted) return fmt::format("{}; interrupted after {}", before, searched);
  return fmt::format("{}; {} did not fail", before, searched);
}

}  // namespace snag::cli
