// work_steal_queue: Cilk's THE protocol. As in Dekker's algorithm, owner and thief each first claim
// (move their own index) and then look at the other's index; only when both want the same item does
// the owner take the lock.
// Fails: the thief looks before it claims. One item is left; the thief reads `tail` and is
// preempted; the owner pops the item without any conflict; the thief moves `head` and takes the
// same item.
// Correct: the thief moves `head`, then looks at `tail`, and moves back if it was too late.
#include <atomic>
#include <mutex>

#include "steal_test.h"

namespace {

class WorkStealQueue {
 public:
  void Push(int item) {
    int slot = tail_;
    slots_[slot] = item;
    tail_ = slot + 1;
  }

  int Pop() {
    int slot = tail_ - 1;
    tail_ = slot;
    if (head_ <= slot) return slots_[slot];
    tail_ = slot + 1;  // empty, or a thief is after the same item: settle it under the lock
    std::lock_guard guard(mutex_);
    if (head_ > slot) return kNone;
    tail_ = slot;
    return slots_[slot];
  }

  int Steal() {
    std::lock_guard guard(mutex_);
    int slot = head_;
    if (!kCorrect && slot >= tail_) return kNone;
    head_ = slot + 1;
    if (kCorrect && slot >= tail_) {
      head_ = slot;
      return kNone;
    }
    return slots_[slot];
  }

 private:
  volatile int slots_[kItems] = {};
  std::atomic<int> head_ = 0;  // changed by the thief only
  std::atomic<int> tail_ = 0;  // changed by the owner only
  std::mutex mutex_;
};

}  // namespace

int main() { TestStealing<WorkStealQueue>(); }
