#include "tool/cli/commands/replay_search.h"

#include <fmt/format.h>

#include "tool/base/names.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"

namespace snag::cli {

explore::ExploreResult search_again(const trace::Trace& trace, std::uint64_t program_hash,
                                    std::uint64_t runs, binary::Symbolizer& symbolizer,
                                    const std::function<bool()>& should_stop) {
  explore::ExploreOptions options;
  options.program = trace.program;
  options.program_hash = program_hash;
  options.settings = without_checks(trace.settings);
  options.settings.lock_misuse = options.settings.lock_order = true;
  options.settings.strategy = StrategyKind::kMix;
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
                           const std::string& before) {
  const std::string_view kind = trace.failure.kind_name();
  const std::uint64_t runs = result.totals.runs;
  const std::string searched = fmt::format("{} other schedule{} (strategy mix, seed {})", runs,
                                           runs == 1 ? "" : "s", trace.settings.seed);
  if (!result.findings.empty()) {
    const session::FailedRun& run = result.findings.front().run;
    if (run.kind == trace.failure.kind && run.covered == trace.failure.covered)
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
