#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "runtime/server/server.h"

namespace snag::rt {
namespace {

Step at(Tid thread, OpKind kind, std::uint64_t object, std::uint64_t pc) {
  return {pc, object, thread, kind, 0, 0};
}

std::uint64_t count(const std::vector<Step>& steps) {
  return count_order(steps.data(), steps.size());
}

TEST(CountOrder, IndependentStepsMayBeExchanged) {
  const Step a = at(0, OpKind::kWrite, 64, 1), b = at(1, OpKind::kWrite, 128, 2);
  const auto before = count({a, b});
  EXPECT_EQ(count({b, a}), before);
}

TEST(CountOrder, ConflictingStepsMayNot) {
  const Step a = at(0, OpKind::kWrite, 192, 3), b = at(1, OpKind::kRead, 192, 4);
  const auto before = count({a, b});
  EXPECT_EQ(count({b, a}), before + 1);
}

TEST(CountOrder, ReadersCommute) {
  const Step w = at(0, OpKind::kWrite, 256, 5), r1 = at(1, OpKind::kRead, 256, 6),
             r2 = at(2, OpKind::kRead, 256, 7);
  const auto before = count({w, r1, r2});
  EXPECT_EQ(count({w, r2, r1}), before);
  EXPECT_EQ(count({r1, w, r2}), before + 1);
}

TEST(CountOrder, TheSameThreadInAnotherOrderIsAnotherProgram) {
  const Step a = at(0, OpKind::kRead, 320, 8), b = at(0, OpKind::kRead, 328, 9);
  const auto before = count({a, b});
  EXPECT_EQ(count({b, a}), before + 1);
}

TEST(CountOrder, ManyObjectsAndManyOrders) {
  std::vector<Step> steps;
  for (int i = 0; i < 5000; ++i)
    steps.push_back(at(static_cast<Tid>(i % 7), OpKind::kWrite, 4096 + 8 * i, 10));
  const auto before = count(steps);
  EXPECT_EQ(count(steps), before);
  for (std::uint64_t i = 1; i <= 3000; ++i)
    EXPECT_EQ(count({at(0, OpKind::kWrite, 8, 100 + i)}), before + i);
}

TEST(HashEvents, DependsOnPlacesInTheCodeNotOnWhereItWasLoaded) {
  const auto hash = [](std::uint64_t base, Tid second) {
    auto shared = std::make_unique<Shared>();
    shared->module_count = 1;
    shared->modules[0].base = base;
    shared->modules[0].begin = base + 0x1000;
    shared->modules[0].end = base + 0x9000;
    const Step steps[] = {at(0, OpKind::kAtomicLoad, base + 0x20000, base + 0x1234),
                          at(second, OpKind::kAtomicStore, base + 0x20000, base + 0x2345)};
    return hash_events(shared.get(), steps, 2);
  };
  EXPECT_EQ(hash(0x10000, 1), hash(0x7f0000000000, 1));
  EXPECT_NE(hash(0x10000, 1), hash(0x10000, 0));
}

}  // namespace
}  // namespace snag::rt
