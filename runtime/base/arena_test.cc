#include "runtime/base/arena.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace snag::rt {
namespace {

TEST(MmapVector, KeepsItsElementsWhenItGrows) {
  static MmapVector<int> v;
  for (int i = 0; i < 100'000; ++i) v.push_back(i);
  ASSERT_EQ(v.size(), 100'000u);
  for (int i = 0; i < 100'000; ++i) ASSERT_EQ(v[i], i);
  const auto capacity = v.capacity();
  v.clear();
  v.push_back(7);
  EXPECT_EQ(v.capacity(), capacity);
  EXPECT_EQ(v.back(), 7);
}

TEST(MmapVector, PushesAnElementOfItself) {
  static MmapVector<int> v;
  v.push_back(42);
  while (v.size() < 10'000) v.push_back(v[0]);
  for (const int x : v) ASSERT_EQ(x, 42);
}

TEST(MmapVector, NewElementsAreZero) {
  static MmapVector<std::uint64_t> v;
  v.resize(5000);
  for (const auto x : v) ASSERT_EQ(x, 0u);
}

TEST(MapShared, IsSeenByTheParent) {
  int* shared = map_shared<int>(1 << 20);
  ASSERT_NE(shared, nullptr);
  const pid_t child = fork();
  if (child == 0) {
    shared[12345] = 99;
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(shared[12345], 99);
}

}  // namespace
}  // namespace snag::rt
