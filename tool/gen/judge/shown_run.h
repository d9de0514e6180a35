// The run that a report shows is that of the trace, which is another than the one in which the
// worker saw the violation: what is told about it must be told about that run.
#pragma once

#include <optional>
#include <string>

#include "tool/gen/judge/judge.h"
#include "tool/session/failed_run.h"

namespace snag::gen {

// Takes what the run of the trace did in place of what `violation` says.
void take_shown_run(const session::FailedRun& run, const DriverInfo& driver,
                    const WorkerSettings& settings, Violation& violation);

// From what the driver says about a test that fails (Execution::explain): the results of the calls
// and the observers. Nothing if it does not say all of them. The prefix is that of `other`, a run
// of the same test.
std::optional<TestOutcome> outcome_in(const std::string& message, const DriverInfo& driver,
                                      const WorkerSettings& settings, const Test& test,
                                      const TestOutcome& other);

}  // namespace snag::gen
