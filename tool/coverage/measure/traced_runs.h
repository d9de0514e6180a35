// Executes controlled runs of a program with a full trace of them.
#pragma once

#include <cstdint>
#include <functional>

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/history/full_trace_reader.h"
#include "tool/session/failed_run.h"
#include "tool/session/session.h"

namespace snag::coverage {

struct TracedRunsOptions {
  Program program;
  session::SessionOptions session;  // with Config::max_runs, and all else that says how to run
  std::uint64_t capacity = history::kDefaultTraceEvents;  // of events, of all runs together
  std::function<bool()> should_stop = [] { return false; };
};

struct TracedRuns {
  history::FullTraceFile trace;
  binary::ModuleMap modules;  // their addresses in the last run
  std::uint64_t runs = 0;     // completed
  std::uint64_t failed = 0;   // of them: their traces end with the failure
};

// Continues after runs that fail and after the trace is full (see trace.lost()).
Expected<TracedRuns> trace_runs(const TracedRunsOptions& options);

}  // namespace snag::coverage
