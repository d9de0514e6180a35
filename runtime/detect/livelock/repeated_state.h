// Livelocks of threads that write: a run that is out of steps goes on for a while under a fair
// schedule, and if the state of the whole program comes back, it can go round for ever.
//
// The state is all memory that the program can write to, and where its threads are. What else could
// end the loop (a deadline, a signal, a system call, the processor's time) is excluded, or the run
// is cut short as ever.
#pragma once

namespace snag::rt {

// The run has taken all the steps that it may take. True: it goes on, to the report of a livelock
// or until it is cut short.
bool look_for_repeated_state();

}  // namespace snag::rt
