#include "tool/gen/judge/minimize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/gen/judge/signature.h"

namespace snag::gen {
namespace {

TestCall call(std::uint16_t method, std::uint8_t seed = 0) {
  TestCall made;
  made.method = method;
  made.seeds[0] = seed;
  return made;
}

bool has(const std::vector<TestCall>& calls, std::uint16_t method) {
  return std::any_of(calls.begin(), calls.end(),
                     [&](const TestCall& c) { return c.method == method; });
}

// The violation is there if one thread calls 1, another one 2, and 3 came before.
std::optional<Violation> shows(const Test& test) {
  bool first = false, second = false;
  for (const auto& suffix : test.suffixes) {
    if (has(suffix, 1)) {
      first = true;
    } else if (has(suffix, 2)) {
      second = true;
    }
  }
  if (!first || !second || !has(test.prefix, 3)) return std::nullopt;
  Violation violation;
  violation.test = test;
  return violation;
}

TEST(Minimize, EndsWithWhatIsNeeded) {
  gen::Test test;
  test.constructor.seeds[2] = 5;
  test.second = call(0, 7);
  test.prefix = {call(9, 1), call(3, 4), call(8)};
  test.suffixes = {{call(1, 2), call(5)}, {call(2, 3), call(2), call(6)}, {call(4)}};
  test.suffixes[0][0].on_second = true;
  Violation violation;
  violation.test = test;
  const auto smallest = minimize(
      violation,
      [](const std::vector<gen::Test>& tests) -> Expected<std::vector<std::optional<Violation>>> {
        std::vector<std::optional<Violation>> results;
        for (const gen::Test& one : tests) results.push_back(shows(one));
        return results;
      },
      [] { return false; });
  ASSERT_TRUE(smallest);
  gen::Test expected;
  expected.prefix = {call(3)};
  expected.suffixes = {{call(1)}, {call(2)}};
  EXPECT_EQ(smallest->test, expected);
}

TEST(SimplerTests, KeepTwoThreadsWithACallEach) {
  gen::Test test;
  test.suffixes = {{call(1)}, {call(2)}};
  EXPECT_TRUE(simpler_tests(test).empty());
}

TEST(Signature, CoversTestsWithMoreMethods) {
  Violation small, large, other;
  small.test.suffixes = {{call(1)}, {call(2)}};
  large.test.suffixes = {{call(1), call(4)}, {call(2)}};
  other.test.suffixes = {{call(1)}, {call(4)}};
  EXPECT_TRUE(signature_of(small).covers(signature_of(large)));
  EXPECT_FALSE(signature_of(large).covers(signature_of(small)));
  EXPECT_FALSE(signature_of(small).covers(signature_of(other)));
  large.kind = ViolationKind::kStuck;
  EXPECT_FALSE(signature_of(small).covers(signature_of(large)));
}

}  // namespace
}  // namespace snag::gen
