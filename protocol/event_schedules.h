// Under `snag run` one thread runs at a time, and Snag's runtime decides which: who waits for an
// event lets the others run, and who is blocked is what the runtime says. (Weak: in plain programs
// there is no runtime.)
#pragma once

extern "C" {
__attribute__((weak)) int snag_is_controlled(void);
__attribute__((weak)) unsigned snag_runtime_thread(void);
__attribute__((weak)) unsigned snag_runtime_thread_count(void);
__attribute__((weak)) int snag_runtime_is_blocked(unsigned thread);
__attribute__((weak)) int snag_runtime_holder(unsigned thread);
__attribute__((weak)) int snag_runtime_can_go_on(unsigned thread);
__attribute__((weak)) void snag_runtime_let_others_run(void);
__attribute__((weak)) void snag_runtime_note_event(void);
__attribute__((weak)) void snag_runtime_abandon_run(void);
}

namespace snag {

inline bool is_controlled() { return &snag_is_controlled && snag_is_controlled() != 0; }

}  // namespace snag
