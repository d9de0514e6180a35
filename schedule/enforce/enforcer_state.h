// The state of the active schedule. All of it is used under the lock (Critical).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "schedule/enforce/raw.h"
#include "schedule/enforce/runtime_calls.h"
#include "schedule/enforce/schedule_failure.h"
#include "schedule/enforce/threads.h"
#include "schedule/monitor/monitor.h"
#include "snag/schedule_c.h"

namespace snag::schedule {

enum class Mode : std::uint8_t { kActive, kPassive, kOff };

struct Settings {
  std::string text;
  std::string name;
  Mode mode = Mode::kActive;
  double time_limit = 10;  // seconds
};

struct Waiting {
  Thread* thread;
  Action action;
  const snag_event_site* site;  // null if it is not an event of the program
};

// The active schedule. Never freed while it is active.
struct Active {
  explicit Active(Schedule schedule) : monitor(std::move(schedule)) {}

  Settings settings;
  Monitor monitor;
  std::vector<Waiting> waiting;       // oldest first
  std::vector<std::string> problems;  // what fails the test in the end
  bool released = false;              // the schedule has failed: no thread waits any more
  int stuck_looks = 0;                // checks in a row at which no thread could go on
  std::int64_t stuck_since = 0;       // the last change before them
  std::int64_t last_change = is_controlled() ? 0 : now();
  std::int64_t watched_at = last_change;  // by the watchdog
  std::map<std::string, char> orders;     // for ThreadSanitizer
};

extern constinit Active* active;

inline Action action_of(EventKind kind, const Thread* thread) { return {kind, -1, thread->number}; }

// Whether a schedule is active. Does not need the lock.
inline bool watching() { return __atomic_load_n(&snag_schedule_generation, __ATOMIC_RELAXED) != 0; }

// What a message says about all threads.
Situation situation();

}  // namespace snag::schedule
