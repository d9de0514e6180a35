// Event schedules for Catch2, version 2 or 3: a schedule that is not met fails the test case that
// it is in.
//
//   TEST_CASE("take blocks", "[queue]") {
//     snag::Schedule schedule{"[startingTake] -> startingAdd"};
//     ...
//   }
//
// And one body for several schedules, as test cases of their own: "take/blocks" and "take/finds it
// there".
//
//   SNAG_SCHEDULED_TEST_CASE("take", "[queue]",
//                            {"blocks", "[startingTake] -> startingAdd"},
//                            {"finds it there", "finishedAdd -> startingTake"}) {
//     ...
//   }
//
// SNAG_SCHEDULED_TEST_CASE_METHOD takes a fixture before the name; it is made and removed while the
// schedule is active. Catch2's assertions are for one thread at a time: keep them in the test's
// own. In CMake: snag::catch2.
#pragma once

#if !defined(CATCH_VERSION_MAJOR)
#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#include <catch2/catch_version_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif
#endif
#if CATCH_VERSION_MAJOR >= 3 && __has_include(<catch2/internal/catch_test_failure_exception.hpp>)
#include <catch2/internal/catch_test_failure_exception.hpp>
#endif

#include <snag/schedule_cases.h>

#include <utility>

#define SNAG_SCHEDULED_TEST_CASE(name, tags, ...)                     \
  SNAG_SCHEDULED_CATCH2_(INTERNAL_CATCH_UNIQUE_NAME(snag_scheduled_), \
                         ::snag::schedule_detail::NoFixture, "", name, tags, __VA_ARGS__)

#define SNAG_SCHEDULED_TEST_CASE_METHOD(fixture, name, tags, ...)                              \
  SNAG_SCHEDULED_CATCH2_(INTERNAL_CATCH_UNIQUE_NAME(snag_scheduled_), fixture, #fixture, name, \
                         tags, __VA_ARGS__)

#define SNAG_SCHEDULED_CATCH2_(test, fixture, fixture_name, name, tags, ...) \
  SNAG_SCHEDULED_CATCH2_NAMED_(test, fixture, fixture_name, name, tags, __VA_ARGS__)

#define SNAG_SCHEDULED_CATCH2_NAMED_(test, fixture, fixture_name, name, tags, ...)    \
  namespace {                                                                         \
  SNAG_SCHEDULED_TEST_(test, fixture, __VA_ARGS__);                                   \
  const bool test##_registered = ::snag::schedule_detail::register_with_catch2<test>( \
      fixture_name, name, tags, CATCH_INTERNAL_LINEINFO,                              \
      std::make_index_sequence<test::Count::value>());                                \
  }                                                                                   \
  void test::body()

namespace snag {
namespace schedule_detail {

inline void fail_catch2(const char* message) {
  // With --abort, Catch2 leaves the test by an exception; but a schedule ends in a destructor.
  try {
#if defined(CATCH_CONFIG_PREFIX_ALL)
    CATCH_FAIL_CHECK(message);
#else
    FAIL_CHECK(message);
#endif
  } catch (const Catch::TestFailureException&) {
  }
}

inline const bool catch2_is_told = (set_failure_handler(&fail_catch2), true);

template <class Test, std::size_t index>
bool register_one_with_catch2(const char* fixture, const std::string& name, const char* tags,
                              const Catch::SourceLineInfo& place) {
  const std::string full_name = name + "/" + Test::schedules()[index].name;
  Catch::AutoReg(Catch::makeTestInvoker(&run_with_schedule<Test, index, &fail_catch2>), place,
                 fixture, Catch::NameAndTags{full_name, tags});
  return true;
}

template <class Test, std::size_t... indexes>
bool register_with_catch2(const char* fixture, const std::string& name, const char* tags,
                          const Catch::SourceLineInfo& place, std::index_sequence<indexes...>) {
  return (register_one_with_catch2<Test, indexes>(fixture, name, tags, place) && ...);
}

}  // namespace schedule_detail
}  // namespace snag
