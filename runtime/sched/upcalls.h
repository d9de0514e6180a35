// What the scheduler asks of the interposers, which lie above it. server/server.cc fills them in
// before the first run; none of them is on a hot path.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag::rt {

struct Thread;

struct LastWrite {
  std::uint64_t pc;  // 0: none is known
  Tid thread;
};

struct Upcalls {
  // Runs the handlers of the signals that are pending in the thread and not masked.
  void (*deliver_signals)(Thread* thread);
  // While all threads wait for the outside world: gives the signals that arrived meanwhile to
  // waiting threads. True if there were any.
  bool (*deliver_process_signals)();
  // Whether something outside this process may end one of the waits for the outside world; null:
  // always.
  bool (*may_come_from_outside)();
  // The last write that may have been for what the thread in `wait_external` waits for; null: none.
  LastWrite (*last_write_for)(const Thread* thread);
  // Ends the current thread if it was cancelled.
  void (*test_cancel)();
  // The run is out of steps. True: it goes on for some more (kLoopSteps), with another strategy.
  bool (*look_for_repeated_state)();
  // No thread can go on: lets those go on that wait in a library which would poll instead, and
  // tells whether there are any. `last`: neither time nor the outside world will help. Null: there
  // are none.
  bool (*poll)(bool last);
};
[[gnu::visibility("hidden")]] extern Upcalls upcalls;

}  // namespace snag::rt
