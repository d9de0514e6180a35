// What the interposed functions report: that their thread waits, and that it wakes others.
#pragma once

#include "schedule/enforce/threads.h"

namespace snag::schedule {

// Tries once more to go on without waiting: true if there is no need to wait any more.
struct Attempt {
  bool (*call)(void* argument);
  void* argument;
};
template <class Function>
Attempt attempt(Function& function) {
  return {[](void* argument) { return (*static_cast<Function*>(argument))(); }, &function};
}

// While it lives, the caller counts as blocked.
class WaitScope {
 public:
  WaitScope(const Wait& wait, Attempt once_more);
  explicit WaitScope(const Wait& wait) : WaitScope(wait, Attempt{nullptr, nullptr}) {}
  ~WaitScope();
  WaitScope(const WaitScope&) = delete;
  WaitScope& operator=(const WaitScope&) = delete;
  // False if the attempt succeeded.
  bool needed() const { return needed_; }

 private:
  Thread* thread_ = nullptr;
  bool needed_ = true;
};

// While it lives, the caller wakes threads that wait for the object.
class WakeScope {
 public:
  explicit WakeScope(const void* object);
  ~WakeScope();
  WakeScope(const WakeScope&) = delete;
  WakeScope& operator=(const WakeScope&) = delete;

 private:
  Thread* thread_ = nullptr;
};

// A thread that has reported that it waits on the condition variable, or that it releases the mutex
// that way, may still be on its way there.
bool is_approached(const void* object);
// Returns when it has arrived.
void let_arrive(const void* object);

// How many threads wait for the object and have not been woken. Under the lock.
int count_waiters(const void* object);

}  // namespace snag::schedule
