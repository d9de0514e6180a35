// The monitor against the reference evaluator of past-time LTL, on random schedules and traces.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "schedule/language/feasible.h"
#include "schedule/language/parser.h"
#include "schedule/language/random_schedule_for_test.h"
#include "schedule/monitor/monitor.h"
#include "schedule/monitor/past_ltl_for_test.h"

namespace snag::schedule {
namespace {

constexpr int kThreads = 3;
constexpr int kPairs = 110'000;

// What happened how often in the whole test, to know that it means something.
using Tally = std::map<std::string, int>;

void count_constructs(const Condition& condition, Tally& tally) {
  switch (condition.op) {
    case Condition::Op::kHappened:
    case Condition::Op::kBlocked: {
      const std::string where = condition.op == Condition::Op::kHappened ? "left " : "[] ";
      const EventRef& event = condition.event;
      ++tally[where +
              (event.kind == EventKind::kNamed ? "name" : std::string(keyword_of(event.kind)))];
      if (event.has_occurrence) ++tally[where + "#"];
      if (event.kind == EventKind::kNamed && !event.thread.empty()) ++tally[where + "@"];
      break;
    }
    case Condition::Op::kNot:
      ++tally["!"];
      break;
    case Condition::Op::kAnd:
      ++tally["&&"];
      break;
    case Condition::Op::kOr:
      ++tally["||"];
      break;
  }
  for (const Condition& part : condition.parts) count_constructs(part, tally);
}

void count_constructs(const Schedule& schedule, Tally& tally) {
  if (schedule.orderings.empty()) ++tally["empty"];
  for (const Ordering& ordering : schedule.orderings) {
    count_constructs(ordering.condition, tally);
    const EventRef& event = ordering.event;
    ++tally["right " +
            (event.kind == EventKind::kNamed ? "name" : std::string(keyword_of(event.kind)))];
    if (event.occurrence == EventRef::kEvery)
      ++tally["right #*"];
    else if (event.has_occurrence)
      ++tally["right #"];
    if (event.kind == EventKind::kNamed && !event.thread.empty()) ++tally["right @"];
  }
}

// A run of made-up threads, watched by the monitor and by the reference.
class Pair {
 public:
  Pair(const Schedule& schedule, Draw& draw, Tally& tally)
      : text_(to_string(schedule)),
        monitor_(std::get<Schedule>(parse(text_))),
        meaning_(schedule, kThreads),
        draw_(draw),
        tally_(tally) {
    meaning_.formulas().step(nullptr, nullptr, values_);
    for (const char* event : Draw::kNames)
      if (monitor_.mentions(event) >= 0) mentioned_.push_back(event);
    well_formed_ = draw.percent(50);
    if (well_formed_) {
      name_thread(0, "t");
      name_thread(1, "u");
    }
  }

  // Whether they agreed all the way. Half of the traces keep to the schedule as long as it goes.
  bool run() {
    const bool obedient = draw_.percent(50);
    const int length = 2 + draw_.below(9);
    for (int i = 0; i < length; ++i) {
      if (!well_formed_ && draw_.percent(15)) {
        constexpr std::array<const char*, 4> kNames = {"t", "u", "w", ""};
        name_thread(draw_.below(kThreads), kNames[static_cast<std::size_t>(draw_.below(4))]);
      }
      const std::vector<ltl::Happening> possible = possible_now();
      std::vector<ltl::Happening> allowed;
      for (const ltl::Happening& one : possible) {
        const Action action = action_of(one);
        const bool may = monitor_.may_happen(action);
        if (may != may_by_reference(one)) return disagree("may_happen", one);
        if (may != monitor_.unmet(action).empty()) return disagree("unmet", one);
        if (may) allowed.push_back(one);
        ++(may ? may_ : may_not_);
      }
      const auto& choices = obedient && !allowed.empty() ? allowed : possible;
      if (choices.empty()) break;
      const auto one =
          choices[static_cast<std::size_t>(draw_.below(static_cast<int>(choices.size())))];
      if (!happen(one)) return false;
    }
    return check_end();
  }

  bool violated() const { return violated_; }
  // All threads are real ones, everything on the right has happened, and nothing was violated.
  bool met() const { return well_formed_ && !violated_ && monitor_.unreached().empty(); }
  const std::string& text() const { return text_; }
  const ltl::Trace& trace() const { return trace_; }
  const ltl::Meaning& meaning() const { return meaning_; }
  const ltl::Formulas::Values& values() const { return values_; }

 private:
  bool value(ltl::Id id) const { return values_[static_cast<std::size_t>(id)] != 0; }

  void name_thread(int thread, const char* name) {
    monitor_.thread_named(thread, name);
    names_[static_cast<std::size_t>(thread)] = name;
  }

  Action action_of(const ltl::Happening& one) const {
    return {one.kind, one.kind == EventKind::kNamed ? monitor_.mentions(one.name) : -1, one.thread};
  }

  std::vector<ltl::Happening> possible_now() const {
    std::vector<ltl::Happening> found;
    for (int thread = 0; thread < kThreads; ++thread) {
      const auto& name = names_[static_cast<std::size_t>(thread)];
      const State state = states_[static_cast<std::size_t>(thread)];
      const auto add = [&](EventKind kind, State in, const char* event = "") {
        if (!well_formed_ || state == in) found.push_back({kind, event, thread, name});
      };
      add(EventKind::kStart, State::kNew);
      add(EventKind::kEnd, State::kRunning);
      add(EventKind::kBlock, State::kRunning);
      add(EventKind::kUnblock, State::kBlocked);
      for (const char* event : mentioned_) add(EventKind::kNamed, State::kRunning, event);
    }
    return found;
  }

  bool may_by_reference(const ltl::Happening& one) {
    meaning_.formulas().step(&values_, &one, next_);
    const auto next = [&](ltl::Id id) { return next_[static_cast<std::size_t>(id)] != 0; };
    bool may = true;
    for (const auto& rule : meaning_.rules()) {
      if (next(rule.concerned) && !value(rule.condition)) may = false;
      if (!next(rule.reached) && !next(rule.open) && value(rule.open)) {
        may = false;
        ++held_back_;
      }
    }
    return may;
  }

  bool happen(const ltl::Happening& one) {
    int expected = -1;
    meaning_.formulas().step(&values_, &one, next_);
    for (std::size_t i = meaning_.rules().size(); i-- > 0;) {
      const auto& rule = meaning_.rules()[i];
      if (next_[static_cast<std::size_t>(rule.concerned)] && !value(rule.condition))
        expected = static_cast<int>(i);
    }
    const auto violation = monitor_.happened(action_of(one));
    if ((violation ? static_cast<int>(violation->ordering) : -1) != expected)
      return disagree("happened", one);
    values_.swap(next_);
    trace_.push_back(one);
    violated_ = violated_ || violation;
    State& state = states_[static_cast<std::size_t>(one.thread)];
    if (one.kind == EventKind::kStart || one.kind == EventKind::kUnblock) state = State::kRunning;
    if (one.kind == EventKind::kBlock) state = State::kBlocked;
    if (one.kind == EventKind::kEnd) state = State::kEnded;
    return true;
  }

  bool check_end() {
    std::set<std::string> unreached;
    std::set<std::size_t> impossible, told;
    for (std::size_t i = 0; i < meaning_.rules().size(); ++i) {
      const auto& rule = meaning_.rules()[i];
      if (!value(rule.reached))
        unreached.insert(to_string(monitor_.schedule().orderings[i].event.first()));
      if (!value(rule.reached) && !value(rule.open)) impossible.insert(i);
    }
    for (const Unmet& one : monitor_.impossible()) told.insert(one.ordering);
    const auto never = monitor_.unreached();
    if (std::set<std::string>(never.begin(), never.end()) != unreached)
      return disagree("unreached", {});
    if (told != impossible) return disagree("impossible", {});
    ++tally_[unreached.empty() ? "all reached" : "not all reached"];
    if (!impossible.empty()) ++tally_["impossible"];
    tally_["may"] += may_;
    tally_["may not"] += may_not_;
    tally_["held back"] += held_back_;
    return true;
  }

  bool disagree(const char* what, const ltl::Happening& one) const {
    const auto shown = [](const ltl::Happening& event) {
      return std::string(event.kind == EventKind::kNamed ? event.name : keyword_of(event.kind)) +
             " by " + std::to_string(event.thread) + " (" + event.thread_name + ")\n";
    };
    std::string text = std::string(what) + " is not as in the reference\n" + text_ + "\n";
    for (const ltl::Happening& event : trace_) text += shown(event);
    ADD_FAILURE() << text << "then " << shown(one);
    return false;
  }

  enum class State : std::uint8_t { kNew, kRunning, kBlocked, kEnded };

  std::string text_;
  Monitor monitor_;
  ltl::Meaning meaning_;
  Draw& draw_;
  Tally& tally_;
  std::vector<const char*> mentioned_;
  int may_ = 0, may_not_ = 0, held_back_ = 0;
  bool well_formed_ = true, violated_ = false;
  std::array<std::string, kThreads> names_;
  std::array<State, kThreads> states_{};
  ltl::Trace trace_;
  ltl::Formulas::Values values_, next_;
};

TEST(Reference, TheMonitorAgreesOnRandomSchedulesAndTraces) {
  Draw draw(20'240'611);
  Tally tally;
  for (int i = 0; i < kPairs; ++i) {
    const Schedule schedule = draw.schedule();
    count_constructs(schedule, tally);
    Pair pair(schedule, draw, tally);
    ASSERT_TRUE(pair.run()) << "pair " << i;
    ++tally[pair.violated() ? "violated" : "kept"];
    // What was met cannot have been impossible.
    const auto fault = check_feasible(schedule);
    if (fault && pair.met()) FAIL() << pair.text() << "\n" << fault->message;
    ++tally[fault ? "infeasible" : "feasible"];
    if (pair.met()) ++tally["met"];
  }

  for (const char* construct : {"left name",     "left start",  "left end",   "left block",
                                "left unblock",  "left #",      "left @",     "[] name",
                                "[] start",      "[] block",    "[] unblock", "[] #",
                                "[] @",          "!",           "&&",         "||",
                                "right name",    "right start", "right end",  "right block",
                                "right unblock", "right #",     "right #*",   "right @",
                                "empty",         "impossible"})
    EXPECT_GE(tally[construct], 2'000) << construct;
  const auto share = [&](const char* one, const char* other) {
    return static_cast<double>(tally[one]) / (tally[one] + tally[other]);
  };
  EXPECT_GT(share("violated", "kept"), 0.15);
  EXPECT_GT(share("kept", "violated"), 0.15);
  EXPECT_GT(share("may", "may not"), 0.05);
  EXPECT_GT(share("may not", "may"), 0.05);
  EXPECT_GT(share("all reached", "not all reached"), 0.05);
  EXPECT_GT(share("not all reached", "all reached"), 0.05);
  EXPECT_GT(share("infeasible", "feasible"), 0.05);
  EXPECT_GT(share("feasible", "infeasible"), 0.05);
  EXPECT_GT(tally["held back"], 10'000);
  EXPECT_GT(tally["met"], 3'000);
}

TEST(Reference, IsThatOfTheBook) {
  Draw draw(7);
  Tally tally;
  for (int i = 0; i < 1'000; ++i) {
    Pair pair(draw.schedule(), draw, tally);
    ASSERT_TRUE(pair.run());
    const auto& formulas = pair.meaning().formulas();
    const int end = static_cast<int>(pair.trace().size());
    for (const auto& rule : pair.meaning().rules()) {
      for (const ltl::Id id : {rule.condition, rule.concerned, rule.reached, rule.open})
        ASSERT_EQ(formulas.by_definition(id, pair.trace(), end),
                  pair.values()[static_cast<std::size_t>(id)] != 0)
            << pair.text();
    }
  }
}

}  // namespace
}  // namespace snag::schedule
