// The state of the enforcer, for the files that are it: enforcer.cc (who may go on), sleepers.cc
// (who is asleep), wait_scopes.cc (what the interposed functions tell) and stuck.cc (whether nobody
// can go on). All of it is used under the lock (Critical).
#pragma once

#include <map>
#include <string>
#include <vector>

#include "protocol/event_schedules.h"
#include "schedule/enforce/enforcer.h"
#include "schedule/enforce/schedule_failure.h"
#include "schedule/monitor/monitor.h"

namespace snag::schedule {

// What a waiting thread finds in its word.
constexpr std::uint32_t kKeepWaiting = 0, kGoOn = 1, kLook = 2;

struct Waiting {
  Thread* thread;
  Action action;
  const snag_event_site* site;  // null: not an event of the program
};

// The schedule that is active. Never freed while it is.
struct Active {
  explicit Active(Schedule schedule) : monitor(std::move(schedule)) {}

  Settings settings;
  Monitor monitor;
  std::vector<Waiting> waiting;       // oldest first
  std::vector<std::string> problems;  // what fails the test in the end
  bool released = false;              // something is wrong: nobody waits any more
  int stuck_looks = 0;                // in a row, at which nobody could go on
  std::int64_t stuck_since = 0;       // the last change before them
  std::int64_t last_change = is_controlled() ? 0 : now();
  std::int64_t watched_at = last_change;  // by the watchdog
  std::map<std::string, char> orders;     // for ThreadSanitizer
};

extern constinit Active* active;

inline Action action_of(EventKind kind, const Thread* thread) { return {kind, -1, thread->number}; }

// ---- enforcer.cc ----

// Lets all go on who may.
void let_go_on();
// Something is wrong: from now on nobody waits.
void release_all(const std::string& problem);
// Makes a thread that waits here look.
void wake(Thread* thread, std::uint32_t reason);
// Returns when the schedule allows the caller's `action`, which has happened then.
void wait_in_snag(Critical& critical, Thread* self, const Action& action,
                  const snag_event_site* site);
// The caller does `action`: at once, or when the schedule allows it.
void pass(Critical& critical, Thread* self, const Action& action, const snag_event_site* site);

// ---- sleepers.cc ----

// Whether the thread has said that it waits for the object.
bool waits_for(const Thread* thread, const void* object);
// Whether it holds the mutex still that it is about to give back in the condition variable.
bool is_arriving(const Thread* thread);
// Whether it waits in a lock whose holder runs: it will have it soon, and does not count as
// blocked.
bool waits_for_a_moment(const Thread* thread);
// Given back in a condition variable, for instance, of which nobody is told.
bool is_free(const void* mutex);
// Whether somebody wakes those who wait for this at this very moment.
bool is_being_woken(const Thread* thread);
void tell_monitor(EventKind kind, Thread* thread);
// Asks the kernel about a thread that has said that it waits. True if it is asleep.
bool resolve(Thread* thread);
void resolve_all();
// Threads that sleep in a system call that is not interposed.
void find_sleepers();
// It was found asleep where nobody knew of (find_sleepers), and is not any more.
void forget_sleep(Thread* thread);
// Whether somebody has to look again soon.
bool has_unresolved();

// ---- stuck.cc ----

// What a message says about everybody.
Situation situation();

}  // namespace snag::schedule
