// Calls to Snag's runtime, which only programs built with `snag c++` contain.
#pragma once

#include "protocol/event_schedules.h"

#pragma weak snag_is_controlled
#pragma weak snag_runtime_thread
#pragma weak snag_runtime_thread_count
#pragma weak snag_runtime_is_blocked
#pragma weak snag_runtime_holder
#pragma weak snag_runtime_can_go_on
#pragma weak snag_runtime_let_others_run
#pragma weak snag_runtime_note_event
#pragma weak snag_runtime_abandon_run

namespace snag::schedule {

inline bool is_controlled() { return &snag_is_controlled && snag_is_controlled() != 0; }

}  // namespace snag::schedule
