// Modes, environment, errors, failures, occurrences: what a schedule does from begin to end.
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "support.h"

namespace {

// Sets a variable of the environment for a scope.
struct Environment {
  const char* name;
  Environment(const char* variable, const char* value) : name(variable) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name); }
};

std::string error_of(const std::string& text) {
  try {
    snag::Schedule schedule(text);
  } catch (const snag::ScheduleError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& part) { return Failures::text().find(part) != std::string::npos; }

}  // namespace

TEST(Modes, ActiveEnforces) {
  for (int i = 0; i < 100; ++i) {
    std::vector<int> order;
    snag::Schedule schedule("second -> first, third -> second");
    std::thread a([&] {
      SNAG_EVENT(first);
      order.push_back(1);
    });
    std::thread b([&] {
      order.push_back(3);
      SNAG_EVENT(third);
    });
    SNAG_EVENT(second);
    a.join();
    b.join();
    EXPECT_EQ(order, (std::vector<int>{3, 1}));
  }
}

TEST(Modes, PassiveOnlyChecks) {
  const Failures failures;
  {
    snag::Schedule schedule("later -> sooner", snag::ScheduleMode::kPassive);
    SNAG_EVENT(sooner);
    SNAG_EVENT(later);
  }
  EXPECT_TRUE(says("was violated")) << Failures::text();
  EXPECT_TRUE(says("later -> sooner"));
}
TEST(Modes, PassiveIsContentWithTheRightOrder) {
  const Failures failures;
  snag::Schedule schedule("sooner -> later", snag::ScheduleMode::kPassive);
  SNAG_EVENT(sooner);
  SNAG_EVENT(later);
  EXPECT_TRUE(schedule.finish());
}
TEST(Modes, PassiveKnowsWhoIsBlocked) {
  const Failures failures;
  {
    snag::Schedule schedule("[asleep] -> seen", snag::ScheduleMode::kPassive);
    SNAG_EVENT(asleep);
    SNAG_EVENT(seen);
  }
  EXPECT_TRUE(says("was not blocked after asleep")) << Failures::text();
}

TEST(Modes, OffDoesNothing) {
  const Failures failures;
  snag::Schedule schedule("never -> always", snag::ScheduleMode::kOff);
  snag::Schedule another("nothing -> anything", snag::ScheduleMode::kOff);
  SNAG_EVENT(always);
  EXPECT_TRUE(schedule.finish());
}

TEST(Modes, EnvironmentHasTheLastWord) {
  const Failures failures;
  {
    const Environment passive("SNAG_SCHEDULE_MODE", "passive");
    snag::Schedule schedule("later -> sooner");
    SNAG_EVENT(sooner);
    SNAG_EVENT(later);
    EXPECT_FALSE(schedule.finish());
  }
  {
    const Environment off("SNAG_SCHEDULE_MODE", "off");
    snag::Schedule schedule("later -> sooner");
    SNAG_EVENT(sooner);
    EXPECT_TRUE(schedule.finish());
  }
  const Environment wrong("SNAG_SCHEDULE_MODE", "hot");
  EXPECT_EQ(error_of("sooner -> later"), "SNAG_SCHEDULE_MODE is 'hot': use active, passive or off");
}

TEST(Modes, TimeLimit) {
  const Failures failures;
  const Environment limit("SNAG_SCHEDULE_TIMEOUT", "0.1");
  std::atomic<bool> over{false};
  {
    snag::Schedule schedule("forgotten -> expected", {"patience"});
    std::thread busy([&] {
      while (!over) sched_yield();
    });
    SNAG_EVENT(expected);
    over = true;
    busy.join();
    if (!over) SNAG_EVENT(forgotten);
  }
  EXPECT_TRUE(says("schedule patience: nothing has happened for 0.1 s; these never came: expected"))
      << Failures::text();
  const Environment wrong("SNAG_SCHEDULE_TIMEOUT", "soon");
  EXPECT_EQ(error_of("forgotten -> expected"),
            "SNAG_SCHEDULE_TIMEOUT is 'soon': use a number of seconds greater than 0");
}

TEST(Modes, WrongSchedulesAreErrors) {
  EXPECT_NE(error_of("sooner ->").find("expected"), std::string::npos) << error_of("sooner ->");
  EXPECT_NE(error_of("sooner -> latter").find("later"), std::string::npos);
  EXPECT_NE(error_of("sooner -> later, later -> sooner").find("cycle"), std::string::npos);
  snag::Schedule schedule("sooner -> later", {"outer"});
  EXPECT_EQ(error_of("sooner -> later"),
            "a schedule is active already (outer): end it first; there can be one at a time");
  SNAG_EVENT(sooner);
  SNAG_EVENT(later);
}

TEST(Modes, EventsThatNeverCome) {
  const Failures failures;
  {
    snag::Schedule schedule("sooner -> later, sooner -> always", {"unmet"});
    SNAG_EVENT(sooner);
    SNAG_EVENT(always);
    EXPECT_FALSE(schedule.finish());
    EXPECT_FALSE(schedule.finish());  // and is not told twice
  }
  EXPECT_EQ(Failures::text(),
            "schedule unmet: these events never came: later\n"
            "events that happened:\n"
            "  1. start of thread main\n"
            "  2. sooner in thread main\n"
            "  3. always in thread main");
}

TEST(Modes, AnExceptionIsNotHiddenByWhatItSkipped) {
  const Failures failures;
  try {
    snag::Schedule schedule("sooner -> later");
    SNAG_EVENT(sooner);
    throw std::runtime_error("the test gives up");
    SNAG_EVENT(later);
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(Failures::text(), "");
  snag::Schedule next("sooner -> later");
  SNAG_EVENT(sooner);
  SNAG_EVENT(later);
}

TEST(Modes, Occurrences) {
  std::vector<int> order;
  snag::Schedule schedule("take#2 -> put#3");
  std::thread taker([&] {
    for (int i = 0; i < 2; ++i) {
      order.push_back(10 + i);
      SNAG_EVENT(take);
    }
  });
  std::vector<int> puts;
  for (int i = 0; i < 4; ++i) {
    SNAG_EVENT(put);
    puts.push_back(i);
    if (i == 2) {
      EXPECT_EQ(order, (std::vector<int>{10, 11}));
    }
  }
  taker.join();
  EXPECT_TRUE(schedule.finish());
}
TEST(Modes, EveryOccurrence) {
  std::atomic<int> opened{0};
  snag::Schedule schedule("open -> pass#*");
  std::thread opener([&] {
    opened = 1;
    SNAG_EVENT(open);
  });
  for (int i = 0; i < 3; ++i) {
    SNAG_EVENT(pass);
    EXPECT_EQ(opened, 1);
  }
  opener.join();
}

TEST(Modes, NegationHoldsBack) {
  for (int i = 0; i < 50; ++i) {
    std::atomic<bool> before{false};
    snag::Schedule schedule("!overtakes -> slow");
    std::thread fast([&] {
      SNAG_EVENT(overtakes);
      EXPECT_TRUE(before);
    });
    before = true;
    SNAG_EVENT(slow);
    fast.join();
  }
}

// What is no name is an error of the compiler: no schedule could mention it.
using snag::schedule_detail::is_name;
static_assert(is_name("taken", false) && is_name("_2nd", false) && is_name("größe", false));
static_assert(is_name("queue.put", true) && is_name("Queue :: put", true));
static_assert(!is_name("queue.put", false) && !is_name("", true) && !is_name("2nd", true));
static_assert(!is_name("a-b", true) && !is_name("\"a\"", true) && !is_name("a.", true) &&
              !is_name("a:b", true) && !is_name("a,b", true));

TEST(Modes, QualifiedNames) {
  snag::Schedule schedule("queue.put -> queue::take");
  std::thread taker([] { SNAG_EVENT(queue::take); });
  SNAG_EVENT(queue.put);
  taker.join();
  EXPECT_TRUE(schedule.finish());
}

template <class T>
void generic() {
  SNAG_EVENT(in.a.template_);
}
inline void in_line() { SNAG_EVENT(in.an.inline_); }
TEST(Modes, EventsInTemplatesAndInlineFunctions) {
  snag::Schedule schedule("in.a.template_ -> in.an.inline_");
  std::thread other([] { in_line(); });
  generic<int>();
  other.join();
  EXPECT_TRUE(schedule.finish());
}

TEST(ModesDeathTest, WithoutAHandlerTheTestAborts) {
  EXPECT_DEATH(
      {
        snag::Schedule schedule("sooner -> later");
        SNAG_EVENT(sooner);
      },
      "these events never came: later");
}

TEST(Modes, AChildProcessHasNoSchedule) {
  const Failures failures;
  snag::Schedule schedule("sooner -> later");
  EXPECT_EXIT(
      {
        SNAG_EVENT(later);
        snag::Schedule own("sooner -> later");  // but may have its own
        std::thread other([] { SNAG_EVENT(later); });
        SNAG_EVENT(sooner);
        other.join();
        _exit(own.finish() ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  SNAG_EVENT(sooner);
  SNAG_EVENT(later);
  EXPECT_TRUE(schedule.finish());
}
