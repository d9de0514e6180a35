// Plain accesses to an array, by one thread while another one exists: nobody can skip the check of
// an access because there is nobody to race with.
//
//   TYPE  int|long
//   HOW   read|write|both    both: an increment, which is a read and a write
//         random             increments here and there
//   WHEN  again              the same thread has done the same since it last synchronised
//         first              it has not: it takes and gives back a lock before every round
#pragma once

#include <cstdint>
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace speed {

class Accesses {
 public:
  static constexpr int kCells = 1024;
  static constexpr int kRounds = 16;
  static constexpr int kCount = kCells * kRounds;  // increments count once

  Accesses(const char* type, std::string how, std::string when)
      : is_long_(std::string("long") == type), how_(std::move(how)), renew_(when == "first") {}

  template <class Work>
  void with_another_thread(Work work) {
    // Fresh in each run: what is accessed must be of the run.
    std::vector<int> ints(kCells);
    std::vector<long> longs(kCells);
    ints_ = ints.data();
    longs_ = longs.data();
    std::mutex gate;
    gate.lock();
    std::thread other([&] { std::lock_guard wait(gate); });
    work();
    gate.unlock();
    other.join();
  }

  void run() {
    for (int round = 0; round < kRounds; ++round) {
      if (renew_) std::lock_guard now(own_);
      if (is_long_) {
        once(longs_);
      } else {
        once(ints_);
      }
    }
  }

 private:
  // (The assembly, which is empty, keeps the compiler from doing several at once.)
  template <class T>
  void once(T* values) {
    if (how_ == "read") {
      for (int i = 0; i < kCells; ++i) {
        T value = values[i];
        asm volatile("" : "+r"(value));
      }
    } else if (how_ == "write") {
      for (int i = 0; i < kCells; ++i) {
        values[i] = i;
        asm volatile("" ::: "memory");
      }
    } else if (how_ == "both") {
      for (int i = 0; i < kCells; ++i) {
        ++values[i];
        asm volatile("" ::: "memory");
      }
    } else {
      std::uint32_t number = 1;
      for (int i = 0; i < kCells; ++i) {
        number = number * 1664525 + 1013904223;
        ++values[number / (UINT32_MAX / kCells + 1)];
        asm volatile("" ::: "memory");
      }
    }
  }

  bool is_long_;
  std::string how_;
  bool renew_;
  int* ints_ = nullptr;
  long* longs_ = nullptr;
  std::mutex own_;
};

}  // namespace speed
