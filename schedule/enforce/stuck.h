// Finds out that no thread can go on, or that the time limit has passed: the watchdog's part.
#pragma once

namespace snag::schedule {

// What the watchdog does at each interval.
void check_progress();
// In a child process after fork: there is no schedule any more.
void forget_schedule();

}  // namespace snag::schedule
