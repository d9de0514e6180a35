// Lets events wait until the schedule allows them, and finds out when nobody can go on.
//
// One lock protects the registry of threads, the monitor and the list of those who wait here.
// Whoever changes something (passes an event, goes to wait, wakes somebody) also looks who may go
// on now: an event happens at the moment at which it is allowed, also if its thread is told only
// then. So nobody polls, but where only the kernel knows whether a thread is asleep.
#pragma once

#include <string>

#include "schedule/enforce/threads.h"
#include "snag/schedule_c.h"

namespace snag::schedule {

enum class Mode : std::uint8_t { kActive, kPassive, kOff };

struct Settings {
  std::string text;
  std::string name;
  Mode mode = Mode::kActive;
  double time_limit = 10;  // seconds
};

// What is wrong with the schedule, or with beginning it now; empty: it is active.
std::string begin_schedule(const Settings& settings);
// What went wrong; empty: it was met.
std::string end_schedule(bool abandoned);

inline bool watching() { return __atomic_load_n(&snag_schedule_generation, __ATOMIC_RELAXED) != 0; }

void reach_event(snag_event_site* site);
// The caller, or another thread, gets a name.
void name_thread(Thread* thread, const char* name);
void end_thread(Thread* thread);
void note_exception(Thread* thread, const std::string& what);

// ---- For the interposed functions. ----

inline bool inside() { return inside_depth != 0; }

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
  // False: the attempt was good.
  bool needed() const { return needed_; }

 private:
  Thread* thread_ = nullptr;
  bool needed_ = true;
};

// While it lives, the caller wakes those who wait for the object.
class WakeScope {
 public:
  explicit WakeScope(const void* object);
  ~WakeScope();
  WakeScope(const WakeScope&) = delete;
  WakeScope& operator=(const WakeScope&) = delete;

 private:
  Thread* thread_ = nullptr;
};

// A thread that has said that it waits on the condition variable or gives the mutex back by that
// may still be on its way there.
bool is_approached(const void* object);
// Returns when it has arrived.
void let_arrive(const void* object);

// How many wait for the object, and have not been woken. Under the lock.
int count_waiters(const void* object);

}  // namespace snag::schedule
