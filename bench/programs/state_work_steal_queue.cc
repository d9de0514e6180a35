// state_work_steal_queue: every slot has a state; who turns it from ready to taken owns the item.
// The indices only say where to look.
// Fails: owner and thief both read `ready` of the same slot before either stores `taken`.
// Correct: test and change the state under a lock.
#include <atomic>
#include <mutex>

#include "steal_test.h"

namespace {

class StateWorkStealQueue {
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
    if (slot >= tail_ || !Claim(slot)) return kNone;
    head_ = slot + 1;
    return slots_[slot].item;
  }

 private:
  struct Slot {
    volatile int item = 0;
    std::atomic<bool> ready = false;
  };

  bool Claim(int slot) {
    std::unique_lock guard(mutex_, std::defer_lock);
    if (kCorrect) guard.lock();
    if (!slots_[slot].ready) return false;
    slots_[slot].ready = false;
    return true;
  }

  Slot slots_[kItems];
  std::atomic<int> head_ = 0;  // changed by the thief only
  std::atomic<int> tail_ = 0;  // changed by the owner only
  std::mutex mutex_;
};

}  // namespace

int main() { TestStealing<StateWorkStealQueue>(); }
