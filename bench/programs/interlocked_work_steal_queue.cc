// interlocked_work_steal_queue: Chase and Lev's protocol. `head` is claimed by compare-and-swap;
// the owner needs that only for the last item.
// Fails: the owner claims the last item with a plain store. The owner has lowered `tail` and read
// `head`; the thief, which had read the old `tail`, swaps `head` and takes the item; the owner
// takes it too.
// Correct: the owner claims the last item by compare-and-swap as well.
#include <atomic>

#include "steal_test.h"

namespace {

class InterlockedWorkStealQueue {
 public:
  void Push(int item) {
    int slot = tail_;
    slots_[slot] = item;
    tail_ = slot + 1;
  }

  int Pop() {
    int slot = tail_ - 1;
    tail_ = slot;
    int head = head_;
    if (head < slot) return slots_[slot];  // not the last item: no thief can want it
    bool won = false;
    if (head == slot) {
      if (kCorrect) {
        won = head_.compare_exchange_strong(head, slot + 1);
      } else {
        head_ = slot + 1;
        won = true;
      }
    }
    tail_ = slot + 1;  // empty now: tail == head
    return won ? slots_[slot] : kNone;
  }

  int Steal() {
    int slot = head_;
    if (slot >= tail_) return kNone;
    int item = slots_[slot];
    return head_.compare_exchange_strong(slot, slot + 1) ? item : kNone;
  }

 private:
  volatile int slots_[kItems] = {};
  std::atomic<int> head_ = 0;  // only grows, so a slot below it is never used again
  std::atomic<int> tail_ = 0;  // changed by the owner only
};

}  // namespace

int main() { TestStealing<InterlockedWorkStealQueue>(); }
