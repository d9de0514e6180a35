// What the library of event schedules needs from Snag's runtime. Under `snag run` one thread runs
// at a time, and the runtime decides which: a thread that waits for an event lets the others run,
// and the runtime knows which threads are blocked. runtime/server implements these functions;
// schedule/enforce/runtime_calls.h declares them weak, since plain programs have no runtime.
#pragma once

extern "C" {
int snag_is_controlled(void);
unsigned snag_runtime_thread(void);
unsigned snag_runtime_thread_count(void);
int snag_runtime_is_blocked(unsigned thread);
int snag_runtime_holder(unsigned thread);
int snag_runtime_can_go_on(unsigned thread);
void snag_runtime_let_others_run(void);
void snag_runtime_note_event(void);
void snag_runtime_abandon_run(void);
}
