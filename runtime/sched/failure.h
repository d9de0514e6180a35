// How a run ends badly. Each of these writes what is known to the shared memory and ends the
// process at once: no destructor, no handler of the program runs any more.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"
#include "runtime/sched/scheduler_state.h"

namespace snag::rt {

// Exit status of a process whose failure record is filled in; the server looks at the record, not
// at this.
inline constexpr int kFailureStatus = 111;

[[noreturn]] void fail(FailureKind kind, int detail, const char* message, std::uint64_t pc = 0);
// abort was called at `pc`: by the program, or for an uncaught exception.
[[noreturn]] void fail_aborted(std::uint64_t pc);
// An error at `place` of a thread that has ended since.
[[noreturn]] void fail_afterwards(FailureKind kind, const char* message, const Thread* thread,
                                  const LockPlace& place);
// `cycle` is a thread of a cycle that was just closed; null: no thread can go on.
[[noreturn]] void fail_deadlock(Thread* cycle);
// Whether the thread waits for one that, directly or through others, waits for it.
bool on_cycle(Thread* thread);
// The thread waits for a lock that it holds itself.
[[noreturn]] void fail_self_deadlock(Thread* thread);
[[noreturn]] void fail_livelock(const char* why);
// The run has taken all the steps that it may take.
[[noreturn]] void fail_cut_short();
// The same, should the process die from here on in a way that nobody foresees.
void assume_cut_short();
// The strategy wanted a thread that cannot run: only replays can get there.
[[noreturn]] void fail_diverged(Tid wanted);

void count_uncontrolled(Uncontrolled what);

// Catches the fatal signals, and the one by which the tool's watchdog asks for a report.
void install_failure_handlers();

// Terminate handler of C++: remembers that the abort to come is an uncaught exception.
void install_terminate_handler();

}  // namespace snag::rt
