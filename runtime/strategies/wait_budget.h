// Limits how long a strategy holds threads back for an operation that another thread is expected
// to reach.
#pragma once

#include <algorithm>
#include <cstdint>

namespace snag::rt {

// The expected operation may never come: the other thread may poll for work that only a thread
// held back could give it. So each wait has a limit. Within a run the limit falls with every wait
// that reached it, because a run can have many such waits and has a limited number of steps.
class WaitBudget {
 public:
  void begin() {
    limit_ = kFirst;
    steps_ = 0;
  }
  // The expected operation has come.
  void renew() { steps_ = 0; }
  // Counts one step. True once the limit is reached: release a thread, if any is held.
  bool is_over() {
    if (++steps_ <= limit_) return false;
    steps_ = 0;
    return true;
  }
  // A thread was held and had to be released.
  void shorten() { limit_ = std::max(limit_ / 2, kLast); }

 private:
  // More steps than most programs take from one shared access to the next, and far fewer in total
  // than a run has.
  static constexpr std::uint32_t kFirst = 10'000, kLast = 200;
  std::uint32_t limit_ = kFirst;
  std::uint32_t steps_ = 0;
};

}  // namespace snag::rt
