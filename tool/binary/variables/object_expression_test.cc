#include "tool/binary/variables/object_expression.h"

#include <gtest/gtest.h>

namespace snag::binary {
namespace {

// The column of the first place where `part` is in `line`.
std::string accessed(const std::string& line, const std::string& part, OpKind op = OpKind::kRead) {
  return object_expression(line, static_cast<int>(line.find(part)) + 1, op);
}

TEST(ObjectExpression, IsTheNameAtTheColumn) {
  EXPECT_EQ(accessed("  return balance;", "balance"), "balance");
  EXPECT_EQ(accessed("  x = q->count_ + 1;", "count_"), "q->count_");
  EXPECT_EQ(accessed("  x = a.b.c;", "c;"), "a.b.c");
  EXPECT_EQ(accessed("  x = this->size_;", "size_"), "size_");
  EXPECT_EQ(accessed("  s.v[i] = q->v[2];", "]", OpKind::kWrite), "s.v[i]");
}
TEST(ObjectExpression, IsTheLeftSideOfAnAssignment) {
  EXPECT_EQ(accessed("  balance += 100;", "+=", OpKind::kWrite), "balance");
  EXPECT_EQ(accessed("  q->count_ = x;", "=", OpKind::kWrite), "q->count_");
  EXPECT_EQ(accessed("  q->p = 4;", "=", OpKind::kWrite), "q->p");
}
TEST(ObjectExpression, IsWhatIsCompared) {
  EXPECT_EQ(accessed("  if (balance == 200) {", "=="), "balance");
  EXPECT_EQ(accessed("  if (200 == balance) {", "=="), "balance");
}
TEST(ObjectExpression, IsWhatIsCounted) {
  EXPECT_EQ(accessed("  ++q->count_;", "++", OpKind::kWrite), "q->count_");
  EXPECT_EQ(accessed("  q->count_--;", "--", OpKind::kAtomicRmw), "q->count_");
  EXPECT_EQ(accessed("  while (!ready) {}", "!", OpKind::kAtomicLoad), "ready");
}
TEST(ObjectExpression, IsTheObjectOfACall) {
  EXPECT_EQ(accessed("  if (items.empty()) return;", "empty"), "items");
  EXPECT_EQ(accessed("  left_.store(6);", "(", OpKind::kAtomicStore), "left_");
  EXPECT_EQ(accessed("  f(x);", "f"), "");
}
TEST(ObjectExpression, LooksIntoAssertions) {
  EXPECT_EQ(accessed("  assert(!job.done);", "assert"), "job.done");
  EXPECT_EQ(accessed("  EXPECT_EQ(sold, 1);", "EXPECT"), "sold");
  EXPECT_EQ(accessed("  assert(items.empty());", "assert"), "items");
}
TEST(ObjectExpression, FindsLocks) {
  EXPECT_EQ(accessed("std::lock_guard lock(m);", "lock(", OpKind::kMutexLock), "m");
  EXPECT_EQ(accessed("std::lock_guard<std::mutex> g{from.mutex};", "g", OpKind::kMutexLock),
            "from.mutex");
  EXPECT_EQ(accessed("pthread_mutex_lock(&queue->lock);", "p", OpKind::kMutexLock), "queue->lock");
  EXPECT_EQ(accessed("a.b.unlock();", "a", OpKind::kMutexUnlock), "a.b");
  EXPECT_EQ(accessed("while (x) ready.wait(lock);", "ready", OpKind::kCondWait), "ready");
  EXPECT_EQ(accessed("sem_post(&s);", "sem", OpKind::kSemPost), "s");
  EXPECT_EQ(accessed("std::scoped_lock both(a, b);", "both", OpKind::kMutexLock), "");
}
TEST(ObjectExpression, SaysNothingWhereNothingCanBeTold) {
  EXPECT_EQ(accessed("  return 4;", "return"), "");
  EXPECT_EQ(object_expression("", 1, OpKind::kRead), "");
  EXPECT_EQ(object_expression("x", 100, OpKind::kRead), "");
  EXPECT_EQ(object_expression("x", 0, OpKind::kRead), "");
  EXPECT_EQ(object_expression("))))", 4, OpKind::kRead), "");
  EXPECT_EQ(object_expression("}", 1, OpKind::kMutexUnlock), "");
}
TEST(ObjectExpression, SurvivesEveryColumnOfStrangeLines) {
  for (const std::string line : {"((((",     "))))",         "]]]]",  "[[[[",       "a->",
                                 "->a",      "::",           ".",     "*",          "**",
                                 "!",        "= =",          "+++",   "\t",         "assert(",
                                 "assert(!", "X(",           "X()()", "lock_guard", "lock_guard(",
                                 "x.lock(",  "pthread_lock("}) {
    for (int column = 0; column <= static_cast<int>(line.size()) + 1; ++column) {
      for (int op = 0; op < static_cast<int>(OpKind::kCount); ++op)
        object_expression(line, column, static_cast<OpKind>(op));
    }
  }
}

}  // namespace
}  // namespace snag::binary
