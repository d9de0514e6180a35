// Descriptors that only this process can make ready: pipes, event descriptors and socket pairs of
// its own, and epoll descriptors that watch nothing else. If all threads wait for such, nothing
// from outside will ever come.
#pragma once

#include "runtime/sched/upcalls.h"

namespace snag::rt {

// In the process that outlives the runs, before each of them: what a run inherits, others may have
// as well.
void note_inherited_descriptors();
// Descriptors were given away, to a child or over a socket: others may have any of them from now
// on.
void note_shared_descriptors();
// Whether nothing outside this process can make the descriptor ready. False if that is not known.
bool only_we_make_ready(int descriptor);

// The last writes, for the report of a thread that waits for one more.
void note_written(int descriptor, std::uint64_t pc);
// Before the number stands for something else.
void forget_writes_to(int descriptor);
// Whether writing to `written` may make `waited` readable. (False for sockets: nothing tells which
// other descriptor reads what is written.)
bool may_feed(int written, int waited);
// The last one to a descriptor of which `waits_for` is true.
LastWrite find_last_write(const Thread* thread, bool (*waits_for)(const Thread*, int written));

}  // namespace snag::rt
