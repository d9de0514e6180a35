// Follows a schedule that is given as switches at source positions, in a program that need not be
// the one it was recorded with. Decides at each schedule point who runs next; knows nothing of
// processes or shared memory.
//
// The rule: the thread of the current switch runs until it is about to execute the switch's
// position for the recorded time, then the next thread goes on. If a thread blocks or ends before
// that, and the next thread can run, the switch happens there, and the deviation is remembered.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tool/trace/position.h"

namespace snag::trace {

class PositionFollower {
 public:
  explicit PositionFollower(std::vector<Switch> switches);

  struct Question {
    Tid current = 0;  // the thread at the schedule point; not enabled if it blocked or ended
    Position at;      // what `current` is about to do
    std::span<const Tid> enabled;
  };
  struct Answer {
    Tid thread = kNoTid;  // kNoTid: diverged
    bool ignore = false;  // this place is not a schedule point in the recorded schedule
  };
  Answer answer(const Question& question);

  // "diverged at switch 7 of 9: thread 2 was expected at queue.cc:41 'Queue::pop' (3rd time), but
  // ended"; empty if the schedule could be followed.
  const std::string& divergence() const { return divergence_; }
  // The first switch that was taken at another place than recorded; empty if there is none.
  const std::string& deviation() const { return deviation_; }
  std::size_t switches_done() const { return next_; }
  // When the run is over: what it did not reach; empty if all switches were made.
  std::string unfinished() const;
  // The thread chosen last; at first, the main thread.
  Tid last() const { return last_; }

 private:
  bool arrived(const Switch& s) const;
  Tid take_switches(std::span<const Tid> enabled);
  std::string expectation(const Switch& s) const;
  void run(Tid thread);

  std::vector<Switch> switches_;
  std::vector<std::string> keys_;              // of the switches' positions
  std::unordered_set<std::string> stop_keys_;  // all of them
  std::unordered_set<std::string> stop_vias_;  // and their parts in libraries
  std::size_t next_ = 0;                       // the next switch
  // What each thread is about to do, as far as known, and how often it has done what.
  std::unordered_map<Tid, std::string> pending_;
  std::unordered_map<Tid, std::unordered_map<std::string, std::uint64_t>> passes_;
  Tid last_ = 0;
  std::string divergence_;
  std::string deviation_;
};

}  // namespace snag::trace
