// interlocked_state_work_steal_queue: as state_work_steal_queue, with the slot's state changed by
// compare-and-swap.
// Fails (ABA): the thief reads the item of slot 0 and is preempted; the owner pops that item and
// pushes another into the same slot; the slot is ready again, so the thief's compare-and-swap
// succeeds, and it returns the first item once more.
// Correct: claim the slot, then read its item.
#include <atomic>

#include "steal_test.h"

namespace {

class InterlockedStateWorkStealQueue {
 public:
  void Push(int item) {
    int slot = tail_;
    slots_[slot].item = item;
    slots_[slot].ready = true;
    tail_ = slot + 1;
  }

  int Pop() {
    int slot = tail_ - 1;
    if (slot < 0 || !Claim(slot)) return kNone;
    tail_ = slot;
    return slots_[slot].item;
  }

  int Steal() {
    int slot = head_;
    if (slot >= tail_) return kNone;
    int item = kNone;
    if (!kCorrect) item = slots_[slot].item;
    if (!Claim(slot)) return kNone;
    if (kCorrect) item = slots_[slot].item;
    head_ = slot + 1;
    return item;
  }

 private:
  struct Slot {
    volatile int item = 0;
    std::atomic<bool> ready = false;
  };

  bool Claim(int slot) {
    bool expected = true;
    return slots_[slot].ready.compare_exchange_strong(expected, false);
  }

  Slot slots_[kItems];
  std::atomic<int> head_ = 0;  // changed by the thief only
  std::atomic<int> tail_ = 0;  // changed by the owner only
};

}  // namespace

int main() { TestStealing<InterlockedStateWorkStealQueue>(); }
