// How long some threads are kept waiting for what another one is expected to do.
#pragma once

#include <algorithm>
#include <cstdint>

namespace snag::rt {

// A thread may never come to the operation for which others wait: it asks again and again for work
// that only they could give it. So there is an end to it, sooner each time within a run, since a
// run has many such moments and its steps are limited.
class Patience {
 public:
  void begin() {
    limit_ = kFirst;
    steps_ = 0;
  }
  // What was waited for has come.
  void renew() { steps_ = 0; }
  // One more step. True: long enough, if anybody waits.
  bool is_over() {
    if (++steps_ <= limit_) return false;
    steps_ = 0;
    return true;
  }
  // Somebody did wait, and was let go.
  void shorten() { limit_ = std::max(limit_ / 2, kLast); }

 private:
  // More than most programs need from one shared access to the next; together far less than the
  // steps of a run.
  static constexpr std::uint32_t kFirst = 10'000, kLast = 200;
  std::uint32_t limit_ = kFirst;
  std::uint32_t steps_ = 0;
};

}  // namespace snag::rt
