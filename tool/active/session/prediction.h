// Phase 1 as a whole: watches runs, and predicts what could go wrong in others.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/session/active_options.h"
#include "tool/active/session/active_result.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct Prediction {
  std::vector<Candidate> candidates;
  std::optional<ReportResult> report;      // the candidates of each entry, if there is a report
  std::vector<explore::Finding> failures;  // of the runs watched
  std::optional<Error> problem;            // what ended the watching early
  std::uint64_t runs = 0, accesses = 0, left_out = 0;
  bool interrupted = false;
  bool has_threads = false;  // a run started a thread
  bool lacks_debug_info = false;
};

// Watches `runs` runs; `time` limits all of them together, 0 means no limit.
Expected<Prediction> predict_from_runs(const ActiveOptions& options, std::uint64_t runs,
                                       std::chrono::duration<double> time,
                                       binary::Symbolizer& symbolizer, explore::ExploreHooks hooks);

// Replays the run of a failure and predicts from that: it may have reached code that no watched run
// reached.
std::vector<Candidate> predict_from_failure(const ActiveOptions& options, const trace::Trace& trace,
                                            binary::Symbolizer& symbolizer,
                                            const ActiveHooks& hooks);

}  // namespace snag::active
