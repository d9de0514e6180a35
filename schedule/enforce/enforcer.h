// Begins and ends a schedule, and reports to it what the program's threads do.
//
// One lock protects the registry of threads, the monitor and the list of waiting threads. A thread
// that changes something (passes an event, starts to wait, wakes another thread) also checks which
// waiting threads may go on now (gate.h): an event happens at the moment at which it becomes
// allowed, even if its thread wakes up later. So no thread polls, except where only the kernel
// knows whether a thread is asleep.
#pragma once

#include <string>

#include "schedule/enforce/enforcer_state.h"
#include "schedule/enforce/threads.h"
#include "snag/schedule_c.h"

namespace snag::schedule {

// What is wrong with the schedule, or why it cannot begin now; empty if it is active.
std::string begin_schedule(const Settings& settings);
// What went wrong; empty if the schedule was met.
std::string end_schedule(bool abandoned);

// The caller's record; makes one for a thread that was never announced. Null if there is no memory.
Thread* this_thread();

void reach_event(snag_event_site* site);
// The caller, or another thread, gets a name.
void name_thread(Thread* thread, const char* name);
void end_thread(Thread* thread);
void note_exception(Thread* thread, const std::string& what);

}  // namespace snag::schedule
