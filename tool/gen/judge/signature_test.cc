#include "tool/gen/judge/signature.h"

#include <gtest/gtest.h>

namespace snag::gen {
namespace {

constexpr std::uint16_t kPut = 0, kTake = 1, kClear = 2;

// Calls of these methods in two threads; `thrower` throws.
Signature exception(const std::vector<std::vector<std::uint16_t>>& threads, std::uint16_t thrower,
                    const std::string& what = "throws std::logic_error") {
  Violation violation;
  violation.kind = ViolationKind::kException;
  violation.message = what;
  violation.test.prefix.resize(1);
  violation.outcome.calls.resize(1);
  for (const auto& methods : threads) {
    violation.test.suffixes.emplace_back();
    for (const std::uint16_t method : methods) {
      violation.test.suffixes.back().push_back({method, false, {}});
      CallResult call;
      call.thrown = method == thrower;
      call.compared = call.thrown ? what : "void";
      violation.outcome.calls.push_back(call);
    }
  }
  return signature_of(violation);
}

TEST(Signature, OfAnExceptionIsWhoThrowsIt) {
  const Signature with_put = exception({{kPut, kTake}, {kTake}}, kTake);
  const Signature alone = exception({{kTake}, {kTake}}, kTake);
  EXPECT_TRUE(with_put.is_same(alone));
  EXPECT_TRUE(alone.is_same(with_put));
  EXPECT_FALSE(alone.is_same(exception({{kTake}, {kTake}}, kTake, "throws int")));
  EXPECT_FALSE(alone.is_same(exception({{kPut, kTake}, {kTake}}, kPut)));
  EXPECT_FALSE(with_put.is_same(exception({{kClear}, {kTake}}, kTake)));
}

TEST(Signature, OfOthersIsTheMethods) {
  Signature two, one;
  two.methods = {kPut, kTake};
  one.methods = {kTake};
  EXPECT_TRUE(one.covers(two));
  EXPECT_FALSE(one.is_same(two));
  EXPECT_FALSE(two.is_same(one));
  EXPECT_TRUE(one.is_same(one));
}

}  // namespace
}  // namespace snag::gen
