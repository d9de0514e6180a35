// Who threads are in a program that runs freely.
//
// A program that starts threads again and again would need a number for each of them, and for each
// number all histories anew. So a thread continues with the number of one that has ended, and knows
// at once all that has been learned about this number. What the two do counts as done by one
// thread. So that this hardly ever hides a pair, there are kReserve more numbers than threads have
// ever lived at a time, and they are used in turn: none of the last kReserve threads has the number
// of a new one, nor has its counterpart in a group of threads that has just ended. (In the same
// order again and again, so that threads that work together have few different combinations of
// numbers: each combination has histories of its own.)
#pragma once

#include <sched.h>

#include <atomic>
#include <cstdint>

#include "protocol/coverage.h"

namespace snag::rt {

struct CoverMemory;

struct CoverIdentity {
  std::uint32_t number;
  CoverMemory* memory;  // what earlier threads with this number have learned; null: nothing
};

class CoverIdentities {
 public:
  static constexpr std::uint32_t kReserve = 17;

  // The number is kMaxCoverThreads if there is none left.
  CoverIdentity take() {
    const Lock lock(this);
    if (!lock) return {new_number(), nullptr};
    const std::uint32_t living = count() - idle_ + 1;
    if (most_living_ < living) most_living_ = living;
    std::uint32_t number = kMaxCoverThreads;
    if (count() < most_living_ + kReserve) number = new_number();
    if (number == kMaxCoverThreads) number = next_idle();
    if (number == kMaxCoverThreads) return {number, nullptr};
    CoverMemory* memory = memories_[number];
    memories_[number] = nullptr;
    if (memory) --kept_;
    return {number, memory};
  }

  // Of a thread that has ended. False: the memory is not needed any more.
  bool leave(CoverIdentity identity) {
    const Lock lock(this);
    if (!lock) return false;
    is_idle_[identity.number] = true;
    ++idle_;
    if (kept_ == kMaxKept) return false;
    memories_[identity.number] = identity.memory;
    ++kept_;
    return true;
  }

  // Of the numbers that were used so far.
  std::uint32_t count() const { return count_.load(std::memory_order_relaxed); }

 private:
  // A program that has had many threads at a time may never have them again.
  static constexpr std::uint32_t kMaxKept = 64;
  // The lock may be held by a thread that did not survive the fork of this process.
  static constexpr int kLockAttempts = 1000;

  class Lock {
   public:
    explicit Lock(CoverIdentities* of) : of_(of) {
      for (int i = 0; !has_ && i < kLockAttempts; ++i) {
        has_ = !of->lock_.test_and_set(std::memory_order_acquire);
        if (!has_) sched_yield();
      }
    }
    ~Lock() {
      if (has_) of_->lock_.clear(std::memory_order_release);
    }
    explicit operator bool() const { return has_; }

   private:
    CoverIdentities* of_;
    bool has_ = false;
  };

  // kMaxCoverThreads if there is none.
  std::uint32_t new_number() {
    std::uint32_t number = count();
    while (number < kMaxCoverThreads &&
           !count_.compare_exchange_weak(number, number + 1, std::memory_order_relaxed)) {
    }
    return number;
  }
  std::uint32_t next_idle() {
    if (idle_ == 0) return kMaxCoverThreads;
    do {
      last_ = last_ + 1 < count() ? last_ + 1 : 0;
    } while (!is_idle_[last_]);
    is_idle_[last_] = false;
    --idle_;
    return last_;
  }

  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  std::atomic<std::uint32_t> count_{0};
  std::uint32_t most_living_ = 0, idle_ = 0, kept_ = 0, last_ = 0;
  bool is_idle_[kMaxCoverThreads]{};
  CoverMemory* memories_[kMaxCoverThreads]{};
};

}  // namespace snag::rt
