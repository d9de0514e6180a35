// libs: -lgtest -lgtest_main
// confirmed: assertion two_tests.cc:33
// confirmed: assertion two_tests.cc:42
// shrink: both
// Both tests end in an exit with the same status.
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

class Counter {
 public:
  int get() {
    std::lock_guard guard(lock_);
    return value_;
  }
  void set(int to) {
    std::lock_guard guard(lock_);
    value_ = to;
  }
  void increment() { set(get() + 1); }

 private:
  std::mutex lock_;
  int value_ = 0;
};

TEST(Counter, TwoIncrements) {
  Counter counter;
  std::thread one([&] { counter.increment(); }), other([&] { counter.increment(); });
  one.join();
  other.join();
  EXPECT_EQ(counter.get(), 2);
}
TEST(Counter, IsNeverHalfDone) {
  Counter counter;
  std::thread writer([&] {
    counter.set(1);
    counter.set(2);
  });
  const int seen = counter.get();
  EXPECT_NE(seen, 1);
  writer.join();
}
