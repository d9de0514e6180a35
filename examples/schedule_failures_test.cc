// Tests that fail: what docs/guide/from-sleeps-to-events.md explains under "Reading a failure".
#include <snag/schedule_gtest.h>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <stdexcept>
#include <thread>

class Queue {
 public:
  explicit Queue(bool notifies = true) : notifies_(notifies) {}

  void add(int value) {
    std::lock_guard lock(mutex_);
    items_.push_back(value);
    if (notifies_) not_empty_.notify_one();
  }

  int take() {
    std::unique_lock lock(mutex_);
    not_empty_.wait(lock, [this] { return !items_.empty(); });
    const int value = items_.front();
    items_.pop_front();
    return value;
  }

  bool empty() {
    std::lock_guard lock(mutex_);
    return items_.empty();
  }

 private:
  const bool notifies_;
  std::mutex mutex_;
  std::condition_variable not_empty_;
  std::deque<int> items_;
};

void take_what_is_added(Queue& queue) {
  std::thread adder([&] {
    SNAG_THREAD(adder);
    SNAG_EVENT(startingAdd);
    queue.add(1);
    SNAG_EVENT(finishedAdd);
  });
  SNAG_EVENT(startingTake);
  EXPECT_EQ(queue.take(), 1);
  adder.join();
}

// One or the other, but not both.
TEST(Failures, Infeasible) {
  snag::Schedule schedule{"[startingTake] -> startingAdd, finishedAdd -> startingTake"};
  Queue queue;
  take_what_is_added(queue);
}

TEST(Failures, Violated) {
  snag::Schedule schedule{"finishedAdd -> startingAdd", snag::ScheduleMode::kPassive};
  Queue queue;
  take_what_is_added(queue);
}

TEST(Failures, Unreached) {
  snag::Schedule schedule{"startingAdd -> startingSecondAdd"};
  Queue queue;
  take_what_is_added(queue);
  if (!queue.empty()) SNAG_EVENT(startingSecondAdd);
}

TEST(Failures, Exception) {
  snag::Schedule schedule{"startingAdd -> checking"};
  std::thread adder([] {
    SNAG_THREAD(adder);
    SNAG_EVENT(startingAdd);
    throw std::length_error("queue full");
  });
  SNAG_EVENT(checking);
  adder.join();
}

TEST(Failures, Misspelled) {
  snag::Schedule schedule{"[startingTake] -> startignAdd"};
  Queue queue;
  take_what_is_added(queue);
}

// A bug of the queue: nothing can save this process.
TEST(Failures, Deadlock) {
  snag::Schedule schedule{"[startingTake] -> startingAdd"};
  Queue queue(false);
  take_what_is_added(queue);
}
