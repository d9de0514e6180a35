// What the adapters for test frameworks share: one test body, run once for each of several named
// schedules. Include the header of your framework instead: schedule_gtest.h, schedule_catch2.h or
// schedule_doctest.h.
#pragma once

#include <snag/schedule.h>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

// For adapters that register functions: a type with the list of schedules and the test's body,
// which follows as `void test::body()`.
#define SNAG_SCHEDULED_TEST_(test, fixture, ...)                                     \
  struct test : fixture {                                                            \
    using Count = decltype(::snag::schedule_detail::count_schedules({__VA_ARGS__})); \
    static const ::snag::NamedSchedules& schedules() {                               \
      static const ::snag::NamedSchedules all{__VA_ARGS__};                          \
      return all;                                                                    \
    }                                                                                \
    void body();                                                                     \
  }

namespace snag {

// {"blocks", "[startingTake] -> startingAdd"}; the name becomes a part of the test's name.
struct NamedSchedule {
  std::string name;
  std::string text;
  ScheduleMode mode = ScheduleMode::kActive;
};

using NamedSchedules = std::vector<NamedSchedule>;

namespace schedule_detail {

// The length of a list in braces, as a type: decltype(count_schedules({...})).
template <std::size_t N>
std::integral_constant<std::size_t, N> count_schedules(const NamedSchedule (&)[N]);

// All other characters have a meaning in the filter of some framework.
inline bool fit_for_a_test_name(const std::string& name) {
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80) != 0;
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != ' ') return false;
  }
  return !name.empty() && name.front() != ' ' && name.back() != ' ';
}

// What is wrong with the name of a schedule in its list; empty if nothing is.
inline std::string problem_with_name(const NamedSchedules& all, std::size_t index) {
  const std::string& name = all[index].name;
  if (!fit_for_a_test_name(name)) {
    return "the schedule's name \"" + name +
           "\" does not do for a test: use letters, digits, _ and spaces between them, because "
           "filters would misunderstand the rest";
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i != index && all[i].name == name) {
      return "this test has two schedules with the name \"" + name + "\": rename one";
    }
  }
  return "";
}

inline ScheduleOptions options_of(const NamedSchedule& chosen) {
  ScheduleOptions options;
  options.name = chosen.name;
  options.mode = chosen.mode;
  return options;
}

struct NoFixture {};

// Runs the body of a SNAG_SCHEDULED_TEST_ with the schedule at this place of the list.
template <class Test, std::size_t index, void (*fail)(const char*)>
void run_with_schedule() {
  const NamedSchedule& chosen = Test::schedules()[index];
  const std::string problem = problem_with_name(Test::schedules(), index);
  if (!problem.empty()) return fail(problem.c_str());
  try {
    Schedule schedule(chosen.text, options_of(chosen));
    Test test;
    test.body();
  } catch (const ScheduleError& error) {
    fail(error.what());
  }
}

}  // namespace schedule_detail
}  // namespace snag
