// What a debugger needs to know about a run (snag replay --gdb). Only useful in a process that is
// itself the run (Config::in_place). The gdb script finds everything by the names of these symbols.
#pragma once

extern "C" {

// Empty, never inlined: the debugger sets breakpoints on them. The first is called before the step
// Config::stop_step, by the thread that takes it; the second when the run has failed or diverged,
// and its report is written.
void snag_debugger_stop();
void snag_debugger_failed();
}
