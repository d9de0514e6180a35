// queue: every operation of the queue is locked, but two consumers look whether it is empty and
// dequeue in two operations.
// Fails: one element is left; both consumers find the queue not empty; both dequeue.
// Correct: the consumers hold the lock over both operations.
#include <mutex>
#include <thread>

#include "check.h"

namespace {

constexpr int kItems = 2;

class Queue {
 public:
  std::recursive_mutex& mutex() { return mutex_; }

  void Enqueue(int item) {
    std::lock_guard guard(mutex_);
    CHECK(tail_ < kItems);
    items_[tail_++] = item;
  }

  bool Empty() {
    std::lock_guard guard(mutex_);
    return head_ == tail_;
  }

  int Dequeue() {
    std::lock_guard guard(mutex_);
    CHECK(head_ < tail_);
    return items_[head_++];
  }

 private:
  std::recursive_mutex mutex_;
  int items_[kItems] = {};
  int head_ = 0;
  int tail_ = 0;
};

Queue queue;

void Produce() {
  for (int i = 0; i < kItems; ++i) queue.Enqueue(i);
}

void Consume() {
  for (int i = 0; i < kItems; ++i) {
    std::unique_lock guard(queue.mutex(), std::defer_lock);
    if (kCorrect) guard.lock();
    if (!queue.Empty()) queue.Dequeue();
  }
}

}  // namespace

int main() {
  std::thread producer(Produce);
  std::thread consumer1(Consume);
  std::thread consumer2(Consume);
  producer.join();
  consumer1.join();
  consumer2.join();
}
