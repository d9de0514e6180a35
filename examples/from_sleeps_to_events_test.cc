// The tests of docs/guide/from-sleeps-to-events.md: a blocking queue, tested with two threads.
#include <snag/schedule_gtest.h>

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

class ArrayBlockingQueue {
 public:
  explicit ArrayBlockingQueue(std::size_t capacity) : capacity_(capacity) {}

  // Throws if there is no room.
  void add(int value) {
    std::lock_guard lock(mutex_);
    if (items_.size() == capacity_) throw std::length_error("queue full");
    items_.push_back(value);
    not_empty_.notify_one();
  }

  // Waits until there is something.
  int take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty(); });
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

  bool empty() const {
    std::lock_guard lock(mutex_);
    return items_.empty();
  }

 private:
  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};

TEST(Sleeps, TakeWithAdd) {
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    queue.add(1);
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    queue.add(2);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(queue.take(), 1);
  EXPECT_TRUE(queue.empty());
  EXPECT_EQ(queue.take(), 2);
  EXPECT_TRUE(queue.empty());
  adder.join();
}

TEST(Events, TakeWithAdd) {
  snag::Schedule schedule{"finishedAdd1 -> startingTake1, [startingTake2] -> startingAdd2"};
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    queue.add(1);
    SNAG_EVENT(finishedAdd1);
    SNAG_EVENT(startingAdd2);
    queue.add(2);
  });
  SNAG_EVENT(startingTake1);
  EXPECT_EQ(queue.take(), 1);
  EXPECT_TRUE(queue.empty());
  SNAG_EVENT(startingTake2);
  EXPECT_EQ(queue.take(), 2);
  EXPECT_TRUE(queue.empty());
  adder.join();
}

SNAG_SCHEDULED_TEST(Events, Take, {"blocks", "[startingTake] -> startingAdd"},
                    {"finds it there", "finishedAdd -> startingTake"}) {
  ArrayBlockingQueue queue(1);
  std::thread adder([&] {
    SNAG_EVENT(startingAdd);
    queue.add(1);
    SNAG_EVENT(finishedAdd);
  });
  SNAG_EVENT(startingTake);
  EXPECT_EQ(queue.take(), 1);
  EXPECT_TRUE(queue.empty());
  adder.join();
}

// The third put of a loop, and a thread with a name.
TEST(Events, TakesWhatTheThirdAddBrings) {
  snag::Schedule schedule{"[startingTake#3] -> adding#3"};
  ArrayBlockingQueue queue(2);
  std::thread adder([&] {
    for (int i = 1; i <= 3; ++i) {
      SNAG_EVENT(adding);
      queue.add(i);
    }
  });
  for (int i = 1; i <= 3; ++i) {
    SNAG_EVENT(startingTake);
    EXPECT_EQ(queue.take(), i);
  }
  adder.join();
}
