// A thread of the library that looks now and then, while a schedule is active, whether nobody can
// go on any more, or whether the time limit has passed: for the cases that no thread of the program
// notices when it goes to wait.
#pragma once

namespace snag::schedule {

// Makes it, once.
void start_watchdog();
// A schedule has begun.
void wake_watchdog();
// Tasks of the process that are not the program's threads: this one, and ThreadSanitizer's.
int own_tasks();

// In stuck.cc. What it does.
void watch();
// In a child process after fork: there is no schedule any more.
void forget_schedule();

}  // namespace snag::schedule
