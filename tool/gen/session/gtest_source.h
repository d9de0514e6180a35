// A violation as a GoogleTest source to check in: the calls in threads, under many schedules, and
// what they may return.
#pragma once

#include <string>
#include <vector>

#include "tool/gen/session/session_options.h"
#include "tool/gen/worker/worker_process.h"

namespace snag::gen {

std::string gtest_source(const DriverInfo& driver, const WorkerSettings& settings,
                         const FoundViolation& found);

// Statements that make an object with that name.
std::vector<std::string> object_text(const std::string& name, const CallText& made);

// The records that distinguish the violation from all allowed outcomes: the calls of the suffixes,
// and as few observers as possible.
std::vector<std::size_t> telling_records(const Violation& violation);

}  // namespace snag::gen
