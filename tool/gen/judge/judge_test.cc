// The oracle against hand-made histories of a small class, whose sequential behaviour FakeClass
// plays.
#include "tool/gen/judge/judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <string>

namespace snag::gen {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum Method : std::uint16_t {
  kNext,    // returns 0, 1, 2...
  kPush,    // adds an item
  kPop,     // removes an item; blocks while there are none
  kThrow,   // throws std::out_of_range once kNext was called twice
  kCrash,   // crashes once kNext was called
  kRandom,  // never returns the same twice
};

TestCall call(Method method) {
  TestCall result;
  result.method = method;
  return result;
}

std::vector<TestCall> calls(std::vector<Method> methods) {
  std::vector<TestCall> result;
  for (const Method method : methods) result.push_back(call(method));
  return result;
}

Test test_of(std::vector<Method> first, std::vector<Method> second,
             std::vector<Method> prefix = {}) {
  Test test;
  test.prefix = calls(std::move(prefix));
  test.suffixes = {calls(std::move(first)), calls(std::move(second))};
  return test;
}

CallResult done(const std::string& text, bool thrown = false) {
  CallResult result;
  result.state = CallState::kDone;
  result.thrown = thrown;
  result.text = result.compared = text;
  result.hash = std::hash<std::string>()(text);
  return result;
}

TestOutcome outcome_of(std::vector<CallResult> calls) {
  TestOutcome outcome;
  outcome.count = 1;
  outcome.calls = std::move(calls);
  std::string all;
  for (const CallResult& call : outcome.calls) all += call.compared + ";";
  outcome.hash = std::hash<std::string>()(all);
  return outcome;
}

// A run that finished with these results, in the order prefix, first thread, second thread.
TestResult finished(std::vector<std::string> texts) {
  std::vector<CallResult> calls;
  for (const std::string& text : texts) calls.push_back(done(text));
  TestResult result;
  result.ended = true;
  result.runs = 1;
  result.outcomes = {outcome_of(std::move(calls))};
  return result;
}

TestResult failed(FailureKind kind, std::vector<CallState> states) {
  TestResult result;
  result.ended = result.failed = true;
  result.runs = 1;
  result.failure = kind;
  result.message = "it failed";
  result.states = std::move(states);
  return result;
}

constexpr CallState kNotMade = CallState::kNotMade, kRunning = CallState::kRunning,
                    kDone = CallState::kDone;

// Makes the calls of each test one after the other, in the order that the batch asks for.
class FakeClass : public TestRunner {
 public:
  Expected<std::vector<TestResult>> run(const Batch& batch, const WorkerSettings&) override {
    EXPECT_EQ(batch.mode, Mode::kOrdered);
    EXPECT_EQ(batch.orders.size(), batch.tests.size());
    EXPECT_LE(batch.tests.size(), kMaxTests);
    if (++batches == fail_at) return internal_error("the driver is gone");
    is_cut_ = batches == cut_at;
    std::vector<TestResult> results;
    for (std::size_t i = 0; i < batch.tests.size(); ++i)
      results.push_back(play(batch.tests[i], batch.orders[i]));
    return results;
  }
  bool was_cut() const override { return is_cut_; }

  int batches = 0, cut_at = 0, fail_at = 0;  // the batch that is cut short, or fails
  FailureKind crash = FailureKind::kSignal;  // what kCrash does
  bool always_crashes = false;               // kCrash, also before kNext
  std::uint32_t hostile_observer = 0;        // 1 + the observer that crashes after each order

 private:
  TestResult play(const Test& test, const Order& order) {
    int next = 0, items = 0;
    std::vector<CallResult> made(test.calls());
    std::vector<CallState> states(test.calls(), kNotMade);
    std::vector<std::size_t> at(test.suffixes.size(), 0);
    std::optional<FailureKind> failure;
    const auto make = [&](const TestCall& call, std::size_t record) {
      states[record] = kDone;
      switch (call.method) {
        case kNext:
          made[record] = done(std::to_string(next++));
          break;
        case kPush:
          ++items;
          made[record] = done("");
          break;
        case kPop:
          if (items-- > 0) {
            made[record] = done("item");
          } else {
            failure = FailureKind::kDeadlock;
            states[record] = kRunning;
          }
          break;
        case kThrow:
          made[record] = next >= 2 ? done("std::out_of_range", true) : done("ok");
          break;
        case kCrash:
          made[record] = done("ok");
          if (next > 0 || always_crashes) {
            failure = crash;
            states[record] = kRunning;
          }
          break;
        case kRandom:
          made[record] = done(std::to_string(++random_));
          break;
      }
    };
    for (std::size_t i = 0; i < test.prefix.size() && !failure; ++i) make(test.prefix[i], i);
    for (const std::uint8_t thread : order) {
      if (failure) break;
      std::size_t record = test.prefix.size() + at[thread];
      for (std::size_t i = 0; i < thread; ++i) record += test.suffixes[i].size();
      make(test.suffixes[thread][at[thread]++], record);
    }
    if (failure) return failed(*failure, states);
    if (hostile_observer != 0) {
      TestResult result = failed(FailureKind::kSignal, states);
      result.observing = hostile_observer;
      return result;
    }
    TestResult result;
    result.ended = true;
    result.outcomes = {outcome_of(std::move(made))};
    return result;
  }

  bool is_cut_ = false;
  int random_ = 0;
};

class OracleTest : public ::testing::Test {
 protected:
  std::optional<Violation> judge(const gen::Test& test, const TestResult& result) {
    auto judged = oracle().judge({test}, {result}, settings);
    EXPECT_TRUE(judged.has_value());
    EXPECT_EQ(judged->size(), 1u);
    return std::move(judged->front());
  }
  Oracle& oracle() {
    if (!oracle_) oracle_.emplace(fake, options);
    return *oracle_;
  }

  FakeClass fake;
  OracleOptions options;
  WorkerSettings settings;

 private:
  std::optional<Oracle> oracle_;
};

TEST_F(OracleTest, OutcomesOfAnOrderAreExplained) {
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}), finished({"0", "1"})));
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}), finished({"1", "0"})));
  EXPECT_FALSE(judge(test_of({kNext, kNext}, {kNext}), finished({"0", "2", "1"})));
  EXPECT_EQ(oracle().unjudged(), 0u);
}

TEST_F(OracleTest, AnOutcomeOfNoOrderIsAWrongResult) {
  const gen::Test test = test_of({kNext}, {kNext});
  const auto violation = judge(test, finished({"0", "0"}));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kResult);
  EXPECT_EQ(violation->test, test);
  EXPECT_EQ(violation->outcome.calls[1].text, "0");
  EXPECT_EQ(violation->linearizations.size(), 2u);
  EXPECT_EQ(unexpected_throw(*violation), nullptr);
}

// The calls of one thread are never reordered.
TEST_F(OracleTest, TheProgramOrderCounts) {
  EXPECT_TRUE(judge(test_of({kNext, kNext}, {kNext}), finished({"1", "0", "2"})));
}

TEST_F(OracleTest, ThePrefixIsPartOfEveryOrder) {
  const gen::Test test = test_of({kNext}, {kNext}, {kNext});
  EXPECT_FALSE(judge(test, finished({"0", "2", "1"})));
  EXPECT_TRUE(judge(test, finished({"0", "0", "1"})));
}

TEST_F(OracleTest, OneBadOutcomeAmongSeveralIsFound) {
  TestResult result = finished({"0", "1"});
  result.outcomes.push_back(finished({"1", "1"}).outcomes.front());
  const auto violation = judge(test_of({kNext}, {kNext}), result);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->outcome.calls[0].text, "1");
}

TEST_F(OracleTest, AnExceptionThatNoOrderThrows) {
  TestResult result = finished({"0", "ok"});
  result.outcomes = {outcome_of({done("0"), done("std::out_of_range", true)})};
  const auto violation = judge(test_of({kNext}, {kThrow}), result);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kException);
  EXPECT_EQ(violation->message, "std::out_of_range");
  ASSERT_NE(unexpected_throw(*violation), nullptr);
  EXPECT_EQ(unexpected_throw(*violation), &violation->outcome.calls[1]);
}

TEST_F(OracleTest, AnExceptionThatSomeOrderThrowsIsNoViolationByItself) {
  const gen::Test test = test_of({kNext, kNext}, {kThrow});
  TestResult result;
  result.outcomes = {outcome_of({done("0"), done("1"), done("std::out_of_range", true)})};
  EXPECT_FALSE(judge(test, result));
  // The same exception with results of no order is a wrong result.
  result.outcomes = {outcome_of({done("0"), done("0"), done("std::out_of_range", true)})};
  const auto violation = judge(test, result);
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kResult);
}

TEST_F(OracleTest, WithoutResultsOnlyNewExceptionsCount) {
  options.results = false;
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}), finished({"0", "0"})));
  TestResult result;
  result.outcomes = {outcome_of({done("0"), done("std::out_of_range", true)})};
  EXPECT_TRUE(judge(test_of({kNext}, {kThrow}), result));
}

TEST_F(OracleTest, WithoutExceptionsOutcomesThatThrowAreSkipped) {
  options.exceptions = false;
  TestResult result;
  result.outcomes = {outcome_of({done("0"), done("std::out_of_range", true)})};
  EXPECT_FALSE(judge(test_of({kNext}, {kThrow}), result));
  EXPECT_TRUE(judge(test_of({kNext}, {kNext}), finished({"0", "0"})));
}

// Both threads pop from an empty queue: they block in every order, too.
TEST_F(OracleTest, PendingCallsThatBlockInSomeOrderAreExplained) {
  EXPECT_FALSE(
      judge(test_of({kPop}, {kPop}), failed(FailureKind::kDeadlock, {kRunning, kRunning})));
  EXPECT_FALSE(judge(test_of({kPush, kPop}, {kPop}),
                     failed(FailureKind::kDeadlock, {kDone, kRunning, kDone})));
}

TEST_F(OracleTest, PendingCallsThatNeverBlockAreADeadlock) {
  const auto violation =
      judge(test_of({kNext}, {kNext}), failed(FailureKind::kDeadlock, {kRunning, kRunning}));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kStuck);
  EXPECT_EQ(violation->failure, FailureKind::kDeadlock);
  EXPECT_EQ(violation->message, "it failed");
  EXPECT_THAT(violation->states, ElementsAre(kRunning, kRunning));
}

// The push was lost: once it has ended, the pop cannot block.
TEST_F(OracleTest, APopThatMissesAPushIsALostWakeup) {
  const auto violation =
      judge(test_of({kPush}, {kPop}), failed(FailureKind::kLostWakeup, {kDone, kRunning}));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kStuck);
}

// The second thread was still on its way to another push when the run was stopped.
TEST_F(OracleTest, ThreadsOnTheirWayMayBlockLater) {
  EXPECT_FALSE(judge(test_of({kPop, kPop}, {kPush}),
                     failed(FailureKind::kHang, {kRunning, kNotMade, kNotMade})));
}

TEST_F(OracleTest, ACrashInNoOrderIsAViolation) {
  const auto violation =
      judge(test_of({kNext}, {kNext}), failed(FailureKind::kSignal, {kDone, kRunning}));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kCrash);
  EXPECT_EQ(violation->linearizations.size(), 2u);
}

TEST_F(OracleTest, ACrashInSomeOrderIsExplained) {
  EXPECT_FALSE(judge(test_of({kNext}, {kCrash}), failed(FailureKind::kSignal, {kDone, kRunning})));
}

// Whether a broken heap shows as a heap error or as a crash is a matter of chance.
TEST_F(OracleTest, CrashesAndHeapErrorsExplainEachOther) {
  fake.crash = FailureKind::kHeap;
  EXPECT_FALSE(judge(test_of({kNext}, {kCrash}), failed(FailureKind::kSignal, {kDone, kRunning})));
  fake.crash = FailureKind::kSignal;
  EXPECT_FALSE(judge(test_of({kNext}, {kCrash}), failed(FailureKind::kHeap, {kDone, kRunning})));
  fake.crash = FailureKind::kExit;
  EXPECT_TRUE(judge(test_of({kNext}, {kCrash}), failed(FailureKind::kHeap, {kDone, kRunning})));
}

TEST_F(OracleTest, WhatDoesNotCountIsNotReported) {
  options.crashes = options.races = false;
  const gen::Test test = test_of({kNext}, {kNext});
  EXPECT_FALSE(judge(test, failed(FailureKind::kSignal, {kDone, kRunning})));
  EXPECT_FALSE(judge(test, failed(FailureKind::kExit, {kDone, kRunning})));
  EXPECT_FALSE(judge(test, failed(FailureKind::kRace, {kDone, kRunning})));
  EXPECT_TRUE(judge(test, failed(FailureKind::kHeap, {kDone, kRunning})));
}

TEST_F(OracleTest, ThePrefixIsNotConcurrent) {
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}, {kNext}),
                     failed(FailureKind::kSignal, {kRunning, kNotMade, kNotMade})));
  EXPECT_EQ(fake.batches, 0);
}

// If no order finishes, the calls need each other, and nothing can be said about a crash. A race is
// one in any case.
TEST_F(OracleTest, WithoutAnOrderThatFinishesOnlyRacesCount) {
  fake.always_crashes = true;
  fake.crash = FailureKind::kExit;
  const gen::Test test = test_of({kCrash}, {kCrash});
  EXPECT_FALSE(judge(test, failed(FailureKind::kSignal, {kDone, kRunning})));
  EXPECT_EQ(oracle().unjudged(), 1u);
  const auto violation = judge(test, failed(FailureKind::kRace, {kDone, kRunning}));
  ASSERT_TRUE(violation);
  EXPECT_EQ(violation->kind, ViolationKind::kRace);
}

TEST_F(OracleTest, WhatSnagDoesNotSupportIsUnjudged) {
  TestResult result = failed(FailureKind::kUnsupported, {kDone, kRunning});
  result.message = "fork is not supported";
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}), result));
  EXPECT_EQ(oracle().unjudged(), 1u);
  EXPECT_EQ(oracle().unsupported(), "fork is not supported");
}

TEST_F(OracleTest, MethodsThatChangeByThemselvesAreLearned) {
  EXPECT_FALSE(judge(test_of({kRandom}, {kNext}), finished({"-1", "0"})));
  EXPECT_EQ(oracle().unjudged(), 1u);
  const Lessons lessons = oracle().take_lessons();
  EXPECT_THAT(lessons.changing_methods, ElementsAre(kRandom));
  EXPECT_THAT(lessons.hostile_observers, IsEmpty());
  EXPECT_TRUE(oracle().take_lessons().empty());
}

TEST_F(OracleTest, ObserversThatCrashAreLearned) {
  settings.observers = {7, 8};
  fake.hostile_observer = 2;
  EXPECT_FALSE(judge(test_of({kNext}, {kNext}), finished({"0", "0"})));
  EXPECT_EQ(oracle().unjudged(), 1u);
  EXPECT_THAT(oracle().take_lessons().hostile_observers, ElementsAre(8, 8));
}

// 14 calls in 3432 orders.
TEST_F(OracleTest, TooManyOrdersAreUnjudged) {
  const std::vector<Method> seven(7, kNext);
  const gen::Test test = test_of(seven, seven);
  EXPECT_FALSE(judge(test, finished(std::vector<std::string>(14, "0"))));
  EXPECT_EQ(oracle().unjudged(), 1u);
  EXPECT_FALSE(judge(test, failed(FailureKind::kSignal, std::vector<CallState>(14, kRunning))));
  EXPECT_EQ(oracle().unjudged(), 2u);
}

TEST_F(OracleTest, CutShortBeforeTheFirstVerdict) {
  fake.cut_at = 1;
  const auto judged = oracle().judge({test_of({kNext}, {kNext})}, {finished({"0", "0"})}, settings);
  ASSERT_TRUE(judged.has_value());
  EXPECT_THAT(*judged, IsEmpty());
}

// Crashes are judged test by test: the first one needs one batch, the second is cut short.
TEST_F(OracleTest, CutShortKeepsTheVerdictsSoFar) {
  fake.cut_at = 2;
  const gen::Test test = test_of({kNext}, {kNext});
  const TestResult crash = failed(FailureKind::kSignal, {kDone, kRunning});
  const auto judged = oracle().judge({test, test}, {crash, crash}, settings);
  ASSERT_TRUE(judged.has_value());
  ASSERT_EQ(judged->size(), 1u);
  EXPECT_TRUE(judged->front());
}

TEST_F(OracleTest, CutShortWhileAWrongResultIsRepeated) {
  const gen::Test test = test_of({kNext}, {kNext});
  ASSERT_TRUE(judge(test, finished({"0", "0"})));
  const int batches = fake.batches;
  fake.batches = 0;
  fake.cut_at = batches;  // the last batch repeats the orders
  const auto judged = oracle().judge({test}, {finished({"0", "0"})}, settings);
  ASSERT_TRUE(judged.has_value());
  EXPECT_THAT(*judged, IsEmpty());
}

TEST_F(OracleTest, CutShortInADeadlock) {
  fake.cut_at = 1;
  const auto judged =
      oracle().judge({test_of({kNext}, {kNext})},
                     {failed(FailureKind::kDeadlock, {kRunning, kRunning})}, settings);
  ASSERT_TRUE(judged.has_value());
  EXPECT_THAT(*judged, IsEmpty());
}

TEST_F(OracleTest, ErrorsOfTheWorkerArePassedOn) {
  fake.fail_at = 1;
  const auto judged = oracle().judge({test_of({kNext}, {kNext})}, {finished({"0", "0"})}, settings);
  ASSERT_FALSE(judged.has_value());
  EXPECT_EQ(judged.error().message, "the driver is gone");
}

TEST(ViolationKinds, FollowFromTheFailure) {
  for (const FailureKind stuck : {FailureKind::kDeadlock, FailureKind::kLostWakeup,
                                  FailureKind::kLivelock, FailureKind::kHang})
    EXPECT_EQ(violation_kind(stuck), ViolationKind::kStuck);
  for (const FailureKind crash : {FailureKind::kSignal, FailureKind::kAssert, FailureKind::kAbort,
                                  FailureKind::kException, FailureKind::kReported})
    EXPECT_EQ(violation_kind(crash), ViolationKind::kCrash);
  EXPECT_EQ(violation_kind(FailureKind::kHeap), ViolationKind::kHeap);
  EXPECT_EQ(violation_kind(FailureKind::kRace), ViolationKind::kRace);
  EXPECT_EQ(violation_kind(FailureKind::kLockMisuse), ViolationKind::kLocks);
  EXPECT_EQ(violation_kind(FailureKind::kExit), ViolationKind::kExit);
}

TEST(ViolationKinds, AreSwitchedOffOneByOne) {
  OracleOptions options;
  options.deadlocks = options.locks = false;
  EXPECT_FALSE(is_enabled(ViolationKind::kStuck, options));
  EXPECT_FALSE(is_enabled(ViolationKind::kLocks, options));
  for (const ViolationKind kind :
       {ViolationKind::kException, ViolationKind::kCrash, ViolationKind::kHeap,
        ViolationKind::kRace, ViolationKind::kExit, ViolationKind::kResult})
    EXPECT_TRUE(is_enabled(kind, options));
}

}  // namespace
}  // namespace snag::gen
