// snag replay --gdb: the run of a trace in gdb.
//
// gdb starts the program, which is the run itself: no fork server, no watchdog (Config::in_place).
// The schedule is followed inside the program, so that whatever one does in gdb keeps it. The
// script gdb/snag_gdb.py adds the commands; what it has to know of the trace it reads from a
// descriptor that it inherits.
#pragma once

#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/toolchain/resources.h"
#include "tool/trace/trace.h"

namespace snag::trace {

struct DebugOptions {
  toolchain::Resources resources;
  std::string trace_path;
  std::vector<std::string> gdb_arguments;  // behind our own
};

// The environment variable that names the gdb to use.
inline constexpr const char* kGdbVariable = "SNAG_GDB";

// The step before which to stop, counted from 1; 0 where the failure itself is the place to be: a
// thread that waits has nothing to be stepped through.
std::uint64_t stop_step(const Trace& trace);

// Replaces this process by gdb. Returns only if that is not possible. For the binary that made the
// trace only: the caller has compared.
Error debug(const Trace& trace, const DebugOptions& options);

}  // namespace snag::trace
