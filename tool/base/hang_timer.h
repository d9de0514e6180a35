// How long a process has taken, for a watchdog: excludes the time in which the machine had no
// processor for it, or none for the tool itself.
//
//   HangTimer timer;
//   timer.begin(now);                        // it has just made progress
//   timer.look(now, pid);                    // ten times a second
//   if (timer.is_over(milliseconds(10'000))) ...
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>

#include "protocol/settings.h"

namespace snag {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

inline milliseconds hang_timeout(const RunSettings& settings) {
  return milliseconds(static_cast<milliseconds::rep>(settings.hang_ms));
}

// How much processor time the threads of a process have had so far.
struct ProcessTime {
  Clock::duration ran{}, queued{};  // does not include the current wait
  bool is_runnable = false;         // one of them runs, or waits for a processor
};

// Nothing if the process is gone, or the kernel does not provide it.
std::optional<ProcessTime> time_of(pid_t pid);

class HangTimer {
 public:
  void begin(Clock::time_point now);
  void look(Clock::time_point now, pid_t pid) { look(now, pid, time_of(pid)); }
  // As above, with what time_of would return.
  void look(Clock::time_point now, pid_t pid, const std::optional<ProcessTime>& time);
  bool is_over(Clock::duration limit) const;

 private:
  Clock::time_point begin_{}, last_{};
  Clock::duration spent_{};
  pid_t pid_ = 0;
  std::optional<ProcessTime> time_;  // of pid_, at the last call of look
};

}  // namespace snag
