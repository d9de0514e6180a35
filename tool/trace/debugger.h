// snag replay --gdb: the run of a trace in gdb.
//
// gdb starts the program, which is the run itself: no fork server, no watchdog (Config::in_place).
// The program itself follows the schedule, so nothing that one does in gdb changes it. The script
// gdb/snag_gdb.py adds the commands; it reads what it needs to know about the trace from an
// inherited descriptor.
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

// The step before which to stop, counted from 1; 0 to stop at the failure itself, because there is
// nothing to step through in a thread that waits.
std::uint64_t stop_step(const Trace& trace);

// Replaces this process by gdb. Returns only if that is not possible. Only for the binary that made
// the trace: the caller has compared them.
Error debug(const Trace& trace, const DebugOptions& options);

}  // namespace snag::trace
