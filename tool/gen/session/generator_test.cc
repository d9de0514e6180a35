#include "tool/gen/session/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/gen/judge/linearize.h"
#include "tool/gen/session/gen_session.h"

namespace snag::gen {
namespace {

DriverInfo example(int methods) {
  DriverInfo driver;
  driver.class_name = "ns::Queue<int>";
  driver.constructors = {{"Queue()", "Queue()", 0, 0}, {"Queue(int)", "Queue({0})", 1, 0}};
  for (int i = 0; i < methods; ++i)
    driver.methods.push_back({"m" + std::to_string(i) + "(int)", "", 1, 0});
  return driver;
}

std::vector<std::uint16_t> methods_of(const std::vector<TestCall>& calls) {
  std::vector<std::uint16_t> methods;
  for (const TestCall& call : calls) methods.push_back(call.method);
  return methods;
}

TEST(Generator, AlternatesTheMethodsOfThePair) {
  const DriverInfo driver = example(4);
  Generator generator(driver, PolicyKind::kCovcon, 2, 1);
  for (int i = 0; i < 10; ++i) {
    const std::vector<Draft> drafts = generator.next();
    ASSERT_EQ(drafts.size(), 2u);
    EXPECT_TRUE(drafts[0].test.prefix.empty());
    EXPECT_FALSE(drafts[1].test.prefix.empty());
    EXPECT_LE(drafts[1].test.prefix.size(), Generator::kPrefixCalls);
    for (const Draft& draft : drafts) {
      ASSERT_TRUE(draft.pair);
      const auto [a, b] = *draft.pair;
      EXPECT_THAT(methods_of(draft.test.suffixes[0]), testing::ElementsAre(a, b));
      EXPECT_THAT(methods_of(draft.test.suffixes[1]), testing::ElementsAre(b, a));
    }
  }
}

TEST(Generator, MakesLongerSuffixesAfterFiveTestsOfAPair) {
  const DriverInfo driver = example(1);
  Generator generator(driver, PolicyKind::kCovcon, 2, 1);
  std::vector<std::size_t> longest;
  for (int i = 0; i < 4; ++i) {
    for (const Draft& draft : generator.next()) longest.push_back(draft.longest_suffix);
  }
  EXPECT_THAT(longest, testing::ElementsAre(2, 2, 2, 2, 2, 5, 5, 5));
}

TEST(Generator, GivesEachThreadASuffix) {
  const DriverInfo driver = example(3);
  Generator generator(driver, PolicyKind::kRandom, 4, 1);
  for (const Draft& draft : generator.next()) {
    EXPECT_FALSE(draft.pair);
    EXPECT_EQ(draft.test.suffixes.size(), 4u);
    EXPECT_LE(draft.test.calls(), std::size_t{kMaxCalls});
  }
}

TEST(Generator, DoesNotMakeWhatIsKnownToBeBad) {
  DriverInfo driver = example(1);
  driver.constructors.resize(1);
  Generator generator(driver, PolicyKind::kCovcon, 2, 1);
  // On a new object the method works with one argument only.
  const auto is_bad = [](const TestCall& call) { return call.seeds[0] != 3; };
  int bad = 0;
  for (int i = 0; i < 400; ++i) {
    Draft draft = generator.next()[0];
    for (std::size_t thread = 0; thread < 2; ++thread) {
      const auto& suffix = draft.test.suffixes[thread];
      SequenceResult result;
      if (is_bad(suffix[0])) {
        result = {SequenceEnd::kBad, 0, false, false};
        bad += i >= 200;
      }
      generator.remember(draft.test, thread, result);
      EXPECT_EQ(generator.known(draft.test, thread)->end, result.end);
    }
  }
  // All bad ones were met in the first half; then they are drawn only when ten tries gave nothing.
  EXPECT_LT(bad, 300);
}

TEST(Generator, LeavesOutMethodsThatOnlyFail) {
  const DriverInfo driver = example(2);
  Generator generator(driver, PolicyKind::kCovcon, 2, 1);
  gen::Test test;
  test.suffixes = {{TestCall{1, false, {}}}};
  generator.remember(test, 0, {SequenceEnd::kBad, 0, false, true});
  EXPECT_TRUE(generator.take_hopeless().empty());
  generator.remember(test, 0, {SequenceEnd::kBad, 0, false, true});
  EXPECT_THAT(generator.take_hopeless(), testing::ElementsAre(1));
  EXPECT_FALSE(generator.counts().is_usable(1));
  EXPECT_TRUE(generator.take_hopeless().empty());
}

TEST(Generator, UsesConstructorsThatMakeObjects) {
  const DriverInfo driver = example(2);
  Generator generator(driver, PolicyKind::kCovcon, 2, 1);
  generator.leave_out_constructor(0);
  generator.leave_out_constructor(1);  // there must be one
  EXPECT_THAT(generator.constructors(), testing::ElementsAre(1));
  for (int i = 0; i < 20; ++i) {
    for (const Draft& draft : generator.next()) EXPECT_EQ(draft.test.constructor.method, 1u);
  }
}

TEST(TakesClass, LooksAtTheParameters) {
  EXPECT_TRUE(takes_class("append(const Queue<int>&)", "ns::Queue<int>"));
  EXPECT_TRUE(takes_class("swap(ns::Queue&)", "ns::Queue<int>"));
  EXPECT_FALSE(takes_class("push(int)", "ns::Queue<int>"));
  EXPECT_FALSE(takes_class("Queue_size(MyQueue&)", "Queue"));
  EXPECT_FALSE(takes_class("Queue", "Queue"));
}

TEST(SequenceResult, SaysWhichCallItWas) {
  gen::Test test;
  test.prefix.resize(1);
  test.suffixes = {std::vector<TestCall>(2)};
  TestResult result;
  result.outcomes.resize(1);
  auto& calls = result.outcomes[0].calls;
  calls.resize(4);
  for (CallResult& call : calls) call.state = CallState::kDone;
  EXPECT_EQ(sequence_result(test, result).end, SequenceEnd::kGood);
  calls[2].thrown = true;
  EXPECT_EQ(sequence_result(test, result).end, SequenceEnd::kThrows);
  EXPECT_EQ(sequence_result(test, result).failed_call, 1u);
  calls[0].thrown = true;
  EXPECT_TRUE(sequence_result(test, result).in_prefix);

  result.failed = true;
  result.failure = FailureKind::kHang;
  result.states = {CallState::kDone, CallState::kDone, CallState::kRunning};
  const SequenceResult hang = sequence_result(test, result);
  EXPECT_EQ(hang.end, SequenceEnd::kBad);
  EXPECT_EQ(hang.failed_call, 1u);
  EXPECT_TRUE(hang.is_costly);
  result.failure = FailureKind::kDeadlock;
  EXPECT_EQ(sequence_result(test, result).end, SequenceEnd::kWaits);
  result.observing = 1;
  EXPECT_EQ(sequence_result(test, result).end, SequenceEnd::kGood);
}

TEST(SequenceResult, KnowsWhenAnObjectWasNotMade) {
  gen::Test test;
  test.prefix.resize(1);
  test.suffixes = {std::vector<TestCall>(2)};
  TestResult result;
  result.failed = true;
  result.failure = FailureKind::kSignal;
  result.states = std::vector<CallState>(3, CallState::kDone);  // of the run before
  result.stage = Stage::kMaking;
  const SequenceResult made = sequence_result(test, result);
  EXPECT_EQ(made.end, SequenceEnd::kBad);
  EXPECT_TRUE(made.in_prefix);
  EXPECT_EQ(made.failed_call, test.prefix.size()) << "none of the calls is to blame";
}

TEST(ConstructorTrouble, SaysWhatItDoes) {
  TestResult result;
  EXPECT_EQ(constructor_trouble(result), "");
  result.unmade = "throws int";
  EXPECT_EQ(constructor_trouble(result), "throws int");
  result = {};
  result.failed = true;
  result.failure = FailureKind::kHang;
  result.stage = Stage::kMaking;
  EXPECT_EQ(constructor_trouble(result), "does not come back");
  result.failure = FailureKind::kExit;
  result.message = "exit was called with status 4";
  EXPECT_EQ(constructor_trouble(result), "ends the process: exit was called with status 4");
  result.failure = FailureKind::kSignal;
  result.message = "killed by SIGILL";
  EXPECT_EQ(constructor_trouble(result), "fails: killed by SIGILL");
  result.stage = Stage::kEnding;
  EXPECT_EQ(constructor_trouble(result),
            "makes an object whose destructor fails: killed by SIGILL");
}

TEST(Generator, MakesOnlyTestsWhoseOrdersCanBeTried) {
  constexpr std::size_t kLongest[] = {5, 3, 3, 2, 1};  // with two threads, three and so on
  const DriverInfo driver = example(4);
  for (const PolicyKind policy : {PolicyKind::kCovcon, PolicyKind::kRandom}) {
    for (std::size_t threads = 2; threads <= 6; ++threads) {
      Generator generator(driver, policy, threads, 1);
      std::size_t longest = 0;
      for (int i = 0; i < 200; ++i) {
        for (const Draft& draft : generator.next()) {
          ASSERT_EQ(draft.test.suffixes.size(), threads);
          for (const auto& suffix : draft.test.suffixes) {
            EXPECT_FALSE(suffix.empty());
            longest = std::max(longest, suffix.size());
          }
          EXPECT_LE(order_count(suffix_sizes(draft.test), 1'000'000), Oracle::kMostOrders);
        }
      }
      EXPECT_EQ(longest, kLongest[threads - 2]) << threads;
    }
  }
}

}  // namespace
}  // namespace snag::gen
