// A report shows the run of the trace, which is not the one in which the worker saw the violation.
// So the results in the report must be those of the trace's run.
#pragma once

#include <optional>
#include <string>

#include "tool/gen/judge/judge.h"
#include "tool/session/failed_run.h"

namespace snag::gen {

// Replaces the results in `violation` by those of the trace's run.
void take_shown_run(const session::FailedRun& run, const DriverInfo& driver,
                    const WorkerSettings& settings, Violation& violation);

// From what the driver says about a test that fails (Execution::explain): the results of the calls
// and the observers. Nothing if it does not say all of them. The prefix is that of `other`, a run
// of the same test.
std::optional<TestOutcome> outcome_in(const std::string& message, const DriverInfo& driver,
                                      const WorkerSettings& settings, const Test& test,
                                      const TestOutcome& other);

}  // namespace snag::gen
