// The messages for a schedule that is not met.
#pragma once

#include <string>
#include <vector>

#include "schedule/enforce/threads.h"
#include "schedule/monitor/monitor.h"
#include "snag/schedule_c.h"

namespace snag::schedule {

struct ThreadState {
  int number = 0;
  std::string name;
  bool ended = false;
  bool in_snag = false;
  Action action;                          // in Snag
  const snag_event_site* site = nullptr;  // may be null
  Wait wait;
  std::string joins;  // the thread it waits for
};

struct Situation {
  const std::string& name;
  const std::string& text;
  const Monitor& monitor;
  std::vector<ThreadState> threads;
};

std::string thread_text(int number, const std::string& name);

// No thread can go on, and at least one waits for the schedule.
std::string infeasible_text(const Situation& situation);
// No thread can go on, and none waits for the schedule.
std::string deadlock_text(const Situation& situation);
std::string time_limit_text(const Situation& situation, double seconds);
// The schedule was ended while threads were waiting for it.
std::string left_waiting_text(const Situation& situation);
// At the end: the first violation (passive mode), and events that never came. Empty if there are
// none.
std::string end_text(const Situation& situation, bool passive, bool abandoned);

// Prints it and aborts.
[[noreturn]] void die_of(const std::string& text);

}  // namespace snag::schedule
