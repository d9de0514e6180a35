// Event schedules for doctest: a schedule that is not met fails the test case that it is in.
//
//   TEST_CASE("take blocks") {
//     snag::Schedule schedule{"[startingTake] -> startingAdd"};
//     ...
//   }
//
// And one body for several schedules, as test cases of their own: "take/blocks" and "take/finds it
// there".
//
//   SNAG_SCHEDULED_TEST_CASE("take",
//                            {"blocks", "[startingTake] -> startingAdd"},
//                            {"finds it there", "finishedAdd -> startingTake"}) {
//     ...
//   }
//
// SNAG_SCHEDULED_TEST_CASE_FIXTURE takes a fixture before the name; it is made and removed while
// the schedule is active. In CMake: snag::doctest.
#pragma once

#include <doctest/doctest.h>
#include <snag/schedule_cases.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

#define SNAG_SCHEDULED_TEST_CASE(name, ...)                           \
  SNAG_SCHEDULED_DOCTEST_(DOCTEST_ANONYMOUS(SNAG_SCHEDULED_DOCTEST_), \
                          ::snag::schedule_detail::NoFixture, name, __VA_ARGS__)

#define SNAG_SCHEDULED_TEST_CASE_FIXTURE(fixture, name, ...) \
  SNAG_SCHEDULED_DOCTEST_(DOCTEST_ANONYMOUS(SNAG_SCHEDULED_DOCTEST_), fixture, name, __VA_ARGS__)

#define SNAG_SCHEDULED_DOCTEST_(test, fixture, name, ...) \
  SNAG_SCHEDULED_DOCTEST_NAMED_(test, fixture, name, __VA_ARGS__)

#define SNAG_SCHEDULED_DOCTEST_NAMED_(test, fixture, name, ...)                        \
  namespace {                                                                          \
  SNAG_SCHEDULED_TEST_(test, fixture, __VA_ARGS__);                                    \
  const bool test##_registered = ::snag::schedule_detail::register_with_doctest<test>( \
      name, __FILE__, __LINE__, doctest_detail_test_suite_ns::getCurrentTestSuite(),   \
      std::make_index_sequence<test::Count::value>());                                 \
  }                                                                                    \
  void test::body()

namespace snag {
namespace schedule_detail {

// A failed check and not a message, because doctest's JUnit reporter leaves out messages.
inline void fail_doctest(const char* message) {
  if (!doctest::getContextOptions()->currentTest) {  // nothing that could fail
    std::fprintf(stderr, "%s\n", message);
    std::abort();
  }
  const bool schedule_was_met = false;
  // With --abort-after, doctest leaves the test by an exception; but a schedule ends in a
  // destructor.
  try {
    DOCTEST_CHECK_MESSAGE(schedule_was_met, doctest::String(message));
  } catch (const doctest::detail::TestFailureException&) {
  }
}

inline const bool doctest_is_told = (set_failure_handler(&fail_doctest), true);

template <class Test, std::size_t... indexes>
bool register_with_doctest(const std::string& name, const char* file, unsigned line,
                           const doctest::detail::TestSuite& suite,
                           std::index_sequence<indexes...>) {
  // doctest keeps pointers to the names.
  static const std::array<std::string, sizeof...(indexes)> names = {
      (name + "/" + Test::schedules()[indexes].name)...};
  (doctest::detail::regTest(
       doctest::detail::TestCase(&run_with_schedule<Test, indexes, &fail_doctest>, file, line,
                                 suite) *
       names[indexes].c_str()),
   ...);
  return true;
}

}  // namespace schedule_detail
}  // namespace snag
