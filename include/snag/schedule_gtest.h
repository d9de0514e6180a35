// Event schedules for GoogleTest: a schedule that is not met fails the test that it is in.
//
//   TEST(Queue, TakeBlocks) {
//     snag::Schedule schedule{"[startingTake] -> startingAdd"};
//     ...
//   }
//
// And one body for several schedules, as tests of their own: Queue.Take/blocks and
// Queue.Take/finds it there.
//
//   SNAG_SCHEDULED_TEST(Queue, Take,
//                       {"blocks", "[startingTake] -> startingAdd"},
//                       {"finds it there", "finishedAdd -> startingTake"}) {
//     ...
//   }
//
// SNAG_SCHEDULED_TEST_F takes a fixture, which is made and removed while the schedule is active.
// In CMake: snag::gtest.
#pragma once

#include <gtest/gtest.h>
#include <snag/schedule_cases.h>

#include <optional>

#define SNAG_SCHEDULED_TEST(suite, name, ...) \
  SNAG_SCHEDULED_GTEST_(suite, name, ::testing::Test, __VA_ARGS__)

#define SNAG_SCHEDULED_TEST_F(fixture, name, ...) \
  SNAG_SCHEDULED_GTEST_(fixture, name, fixture, __VA_ARGS__)

// The schedule is the first base class, so that it outlives the fixture and the threads in it.
#define SNAG_SCHEDULED_GTEST_(suite, name, fixture, ...)                                           \
  class suite##_##name##_Test : private ::snag::schedule_detail::ScheduleOfTest, public fixture {  \
   public:                                                                                         \
    explicit suite##_##name##_Test(std::size_t index) : ScheduleOfTest(schedules(), index) {}      \
    static const ::snag::NamedSchedules& schedules() {                                             \
      static const ::snag::NamedSchedules all{__VA_ARGS__};                                        \
      return all;                                                                                  \
    }                                                                                              \
                                                                                                   \
   private:                                                                                        \
    void TestBody() override;                                                                      \
    static const bool registered_;                                                                 \
  };                                                                                               \
  const bool suite##_##name##_Test::registered_ =                                                  \
      ::snag::schedule_detail::register_tests<suite##_##name##_Test, fixture>(#suite, #name,       \
                                                                              __FILE__, __LINE__); \
  void suite##_##name##_Test::TestBody()

namespace snag {
namespace schedule_detail {

// Where the current test is written.
inline const char* current_file() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return test ? test->file() : nullptr;
}
inline int current_line() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return test ? test->line() : -1;
}

inline void fail_gtest(const char* message) {
  ADD_FAILURE_AT(current_file(), current_line()) << message;
}

inline bool gtest_has_given_up() {
  return current_file() && (testing::Test::IsSkipped() || testing::Test::HasFatalFailure());
}

inline const bool gtest_is_told =
    (set_failure_handler(&fail_gtest), test_has_given_up = &gtest_has_given_up, true);

class ScheduleOfTest {
 protected:
  ScheduleOfTest(const NamedSchedules& all, std::size_t index) {
    std::string problem = problem_with_name(all, index);
    if (problem.empty()) {
      try {
        schedule_.emplace(all[index].text, options_of(all[index]));
      } catch (const ScheduleError& error) {
        problem = error.what();
      }
    }
    if (!problem.empty()) give_up(problem);
  }

 private:
  // A fatal failure in a constructor: the body is not run.
  static void give_up(const std::string& problem) {
    GTEST_FAIL_AT(current_file(), current_line()) << problem;
  }

  std::optional<Schedule> schedule_;
};

template <class Test, class Fixture>
bool register_tests(const char* suite, const char* name, const char* file, int line) {
  for (std::size_t index = 0; index < Test::schedules().size(); ++index) {
    const std::string full_name = std::string(name) + "/" + Test::schedules()[index].name;
    testing::RegisterTest(suite, full_name.c_str(), nullptr, nullptr, file, line,
                          [index]() -> Fixture* { return new Test(index); });
  }
  return true;
}

}  // namespace schedule_detail
}  // namespace snag
