// Follows what the threads of a test do, and says what a schedule allows: single-threaded, without
// locks, and without knowledge of real threads. The caller must hold a lock of its own.
//
// Threads are small numbers from 0. A thread has at most one name at a time, and its events belong
// to e@t only while it is called t; several threads may have a name one after the other.
//
// Active mode: wait while !may_happen(action), then say happened(action). Passive mode: only
// happened(action), which gives the violation if there is one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "schedule/language/language.h"

namespace snag::schedule {

// Something that a thread is about to do, or has done.
struct Action {
  EventKind kind = EventKind::kNamed;
  int name = -1;  // of kNamed: what Monitor::mentions gave
  int thread = 0;

  static Action event(int name, int thread) { return {EventKind::kNamed, name, thread}; }
  // The thread has been given its name (thread_named) and begins its body. If a thread is named
  // later, or renamed, call this then (again): a thread without a name has no effect.
  static Action start(int thread) { return {EventKind::kStart, -1, thread}; }
  static Action end(int thread) { return {EventKind::kEnd, -1, thread}; }
  static Action block(int thread) { return {EventKind::kBlock, -1, thread}; }
  static Action unblock(int thread) { return {EventKind::kUnblock, -1, thread}; }
};

// The reason that an action has to wait.
struct Unmet {
  std::size_t ordering = 0;  // number in the schedule
  std::size_t offset = 0;    // of the ordering in the text
  std::string text;          // "'a -> b': a has not happened"
};

// Something that happened.
struct Step {
  std::uint64_t position = 0;  // counted from 1; 0: there is none
  Action action;
  std::uint64_t occurrence = 0;  // of the event's name
  int thread_name = -1;          // what the thread was called; Monitor knows the text
};

// An event that came when its condition did not hold.
struct Violation {
  std::size_t ordering = 0;
  std::size_t offset = 0;
  Step event;
  std::string reason;  // what was wrong then: "a had not happened"
  // The condition stopped holding at the first of these (if it ever held), and held again from the
  // second one on (if it has since).
  Step held_until, held_from;
};

class Monitor {
 public:
  explicit Monitor(Schedule schedule);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  const Schedule& schedule() const { return schedule_; }

  // A number for an event's name, or -1 if the schedule does not mention it: then no call with it
  // is needed, and those with it have no effect.
  int mentions(std::string_view event_name) const;
  // How many names are mentioned: their numbers are below.
  std::size_t mentioned_names() const { return names_.texts.size(); }
  // Whether [e], block@t or unblock@t occur: otherwise the monitor need not know which threads are
  // blocked.
  bool mentions_blocking() const { return mentions_blocking_; }

  void thread_named(int thread, std::string_view name);
  // For messages: its name, or "2" if it has none.
  std::string thread_text(int thread) const;
  bool is_blocked(int thread) const;

  bool may_happen(const Action& action) const;
  // Empty if it may.
  std::vector<Unmet> unmet(const Action& action) const;
  // The first violation that this event commits, if it does.
  std::optional<Violation> happened(const Action& action);

  // How many have happened: the position of the latest, counted from 1.
  std::uint64_t position() const { return position_; }
  // The latest kMaxHistory of them, oldest first; and for reports "put#3 in thread adder".
  static constexpr std::size_t kMaxHistory = 1'000;
  std::vector<Step> history() const;
  std::string text_of(const Step& step) const;

  // The first of all violations; what it says grows until the end of the test.
  const std::optional<Violation>& first_violation() const { return first_violation_; }
  std::string text_of(const Violation& violation) const;

  // Events that were to happen and have not: those on the right of "->".
  std::vector<std::string> unreached() const;
  // Orderings whose event has not happened, and never can: "'!a -> b': a has happened".
  std::vector<Unmet> impossible() const;

 private:
  // Counts the occurrences of an event, perhaps in one thread only.
  struct Counter {
    EventKind kind;
    int name, thread_name;  // -1: none, and any
    std::uint64_t count = 0;
    int latest_thread = -1;
    std::map<std::uint32_t, int> thread_of;  // per occurrence, where asked for; -1: not yet
  };
  struct Node {
    Condition::Op op = Condition::Op::kHappened;
    std::size_t counter = 0;
    std::uint32_t occurrence = 1;
    bool latest = false;  // [e], not [e#n]
    std::vector<Node> parts;
  };
  struct Rule {
    Node condition;
    std::size_t counter = 0;
    std::uint32_t occurrence = 1;  // or EventRef::kEvery
    bool holds = false;            // now
    Step held_until;
  };
  struct Thread {
    int name = -1;
    bool blocked = false;
  };
  enum class Verdict : std::uint8_t { kNever, kOpen, kForEver };

  // Numbers for names.
  struct Names {
    std::map<std::string, int, std::less<>> numbers;
    std::vector<std::string> texts;

    int add(std::string_view text);
    int find(std::string_view text) const;  // or -1
  };

  std::size_t counter_of(const EventRef& event);
  Node compiled(const Condition& condition);
  Thread& thread(int number);
  Thread thread_or_none(int number) const;

  bool counts(const Counter& counter, const Action& action) const;
  bool concerns(const Rule& rule, const Action& action) const;
  bool reached(const Rule& rule, const Action* assumed) const;
  int thread_in_block(const Node& node) const;
  bool holds(const Node& node) const;
  // What is certain for all the future, if `assumed` (unless null) happens now.
  Verdict verdict(const Node& node, const Action* assumed) const;
  bool makes_impossible(const Action& action, const Rule& rule) const;

  std::string event_text(const Counter& counter, std::uint32_t occurrence) const;
  void explain(const Node& node, bool wanted, bool past, std::string& text) const;
  Unmet unmet_for(std::size_t rule, const std::string& reason) const;

  Schedule schedule_;
  Names names_, thread_names_;
  std::vector<std::uint64_t> occurrences_;  // per name
  std::vector<Counter> counters_;
  std::vector<Rule> rules_;
  std::vector<Thread> threads_;
  bool mentions_blocking_ = false;
  std::uint64_t position_ = 0;
  std::vector<Step> history_;  // a ring of kMaxHistory
  std::optional<Violation> first_violation_;
};

}  // namespace snag::schedule
