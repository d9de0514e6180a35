// What the scheduler asks of the interposers, which lie above it. server/server.cc fills them in
// before the first run; none of them is on a hot path.
#pragma once

namespace snag::rt {

struct Thread;

struct Upcalls {
  // Runs the handlers of the signals that are pending in the thread and not masked.
  void (*deliver_signals)(Thread* thread);
  // While all threads wait for the outside world: gives the signals that arrived meanwhile to
  // waiting threads. True if there were any.
  bool (*deliver_process_signals)();
  // While all threads wait: whether those that wait for the outside world wait for what only this
  // process can bring about. Fills in Thread::fed_pc and fed_by.
  bool (*waits_only_for_itself)();
  // Ends the current thread if it was cancelled.
  void (*test_cancel)();
  // The run is out of steps. True: it goes on for some more (kLoopSteps), with another strategy.
  bool (*look_for_repeated_state)();
};
[[gnu::visibility("hidden")]] extern Upcalls upcalls;

}  // namespace snag::rt
