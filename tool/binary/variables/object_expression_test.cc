#include "tool/binary/variables/object_expression.h"

#include <gtest/gtest.h>

namespace snag::binary {
namespace {

TEST(ObjectExpression, FindsLocks) {
  EXPECT_EQ(object_expression("std::lock_guard lock(m);", OpKind::kMutexLock), "m");
  EXPECT_EQ(object_expression("std::lock_guard<std::mutex> g{from.mutex};", OpKind::kMutexLock),
            "from.mutex");
  EXPECT_EQ(object_expression("pthread_mutex_lock(&queue->lock);", OpKind::kMutexLock),
            "queue->lock");
  EXPECT_EQ(object_expression("a.b.unlock();", OpKind::kMutexUnlock), "a.b");
  EXPECT_EQ(object_expression("while (x) ready.wait(lock);", OpKind::kCondWait), "ready");
  EXPECT_EQ(object_expression("sem_post(&s);", OpKind::kSemPost), "s");
  EXPECT_EQ(object_expression("std::scoped_lock both(a, b);", OpKind::kMutexLock), "");
}
TEST(ObjectExpression, SaysNothingWhereNothingCanBeTold) {
  EXPECT_EQ(object_expression("", OpKind::kMutexLock), "");
  EXPECT_EQ(object_expression("}", OpKind::kMutexUnlock), "");
  EXPECT_EQ(object_expression("balance = 1;", OpKind::kRead), "");
}
TEST(ObjectExpression, DoesNotReadComments) {
  EXPECT_EQ(
      object_expression("std::lock_guard g(a);  // not std::scoped_lock(a, b)", OpKind::kMutexLock),
      "a");
}
TEST(ObjectExpression, OfSeveralItIsUnknownWhich) {
  EXPECT_EQ(object_expression("a.lock(); b.lock();", OpKind::kMutexLock), "");
  EXPECT_EQ(object_expression("a.lock(); f(); a.unlock();", OpKind::kMutexLock), "a");
  EXPECT_EQ(object_expression("std::lock_guard x(a); std::lock_guard y(b);", OpKind::kMutexLock),
            "");
  EXPECT_EQ(object_expression("ready.notify_one(), done.notify_one();", OpKind::kCondSignal), "");
}
TEST(ObjectExpression, SurvivesStrangeLines) {
  for (const std::string line : {"((((",     "))))",         "]]]]",  "[[[[",       "a->",
                                 "->a",      "::",           ".",     "*",          "**",
                                 "!",        "= =",          "+++",   "\t",         "assert(",
                                 "assert(!", "X(",           "X()()", "lock_guard", "lock_guard(",
                                 "x.lock(",  "pthread_lock("}) {
    for (int op = 0; op < static_cast<int>(OpKind::kCount); ++op)
      object_expression(line, static_cast<OpKind>(op));
  }
}

}  // namespace
}  // namespace snag::binary
