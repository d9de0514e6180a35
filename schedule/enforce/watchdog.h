// A thread of the library that checks now and then, while a schedule is active, whether all threads
// are stuck or the time limit has passed: for the cases that no thread of the program can detect
// when it starts to wait.
#pragma once

namespace snag::schedule {

struct Watched {
  bool (*is_active)();        // whether there is a schedule to watch
  void (*check)();            // called at regular intervals while there is one
  void (*forget_in_child)();  // after fork: the child process has no schedule
};

// Starts the thread, once in a process.
void start_watchdog(const Watched& watched);
// A schedule has begun.
void wake_watchdog();
// Tasks of the process that are not the program's threads: this one, and ThreadSanitizer's.
int own_tasks();

}  // namespace snag::schedule
