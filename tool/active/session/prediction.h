// Phase 1 as a whole: runs are watched, and what could go wrong in another one is predicted.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/session/active_session.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct Prediction {
  std::vector<Candidate> candidates;
  std::optional<ReportResult> report;      // what stands for its entries, if there is a report
  std::vector<explore::Finding> failures;  // of the runs watched
  std::optional<Error> problem;            // what ended the watching early
  std::uint64_t runs = 0, accesses = 0, left_out = 0;
  bool interrupted = false;
  bool has_threads = false;  // beside the first one
  bool lacks_debug_info = false;
};

// From so many runs; `time`: for all of them, 0 if there is no limit.
Expected<Prediction> predict_from_runs(const ActiveOptions& options, std::uint64_t runs,
                                       std::chrono::duration<double> time,
                                       binary::Symbolizer& symbolizer, explore::ExploreHooks hooks);

// From the run of a failure, which is replayed for it: it may have been where no run watched was.
std::vector<Candidate> predict_from_failure(const ActiveOptions& options, const trace::Trace& trace,
                                            binary::Symbolizer& symbolizer,
                                            const ActiveHooks& hooks);

}  // namespace snag::active
