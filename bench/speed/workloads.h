// What is measured, written once with plain std:: types: in_process.cc runs it controlled,
// native.cc as it is.
#pragma once

#include <sched.h>

#include <atomic>
#include <mutex>
#include <thread>
#include <vector>

namespace speed {

// A store is nearly free natively, so what it costs under control is the schedule point.
inline void stores(std::atomic<int>& cell, int count) {
  for (int i = 0; i < count; ++i) cell.store(i, std::memory_order_relaxed);
}

inline void increments(std::atomic<int>& cell, int count) {
  for (int i = 0; i < count; ++i) cell.fetch_add(1, std::memory_order_relaxed);
}

inline void yields(int count) {
  for (int i = 0; i < count; ++i) sched_yield();
}

// Starts `threads` threads, each of which calls work(), and waits for them.
template <class Work>
void in_threads(int threads, Work work) {
  std::vector<std::thread> all;
  all.reserve(static_cast<std::size_t>(threads));
  for (int i = 0; i < threads; ++i) all.emplace_back(work);
  for (std::thread& thread : all) thread.join();
}

inline void create_and_join(int count) {
  for (int i = 0; i < count; ++i) std::thread([] {}).join();
}

// The workload of the target for runs in process: three locked increments and three atomic ones.
struct Counters {
  std::mutex mutex;
  int locked = 0;
  std::atomic<int> atomic{0};

  void count() {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);
      ++locked;
    }
    for (int i = 0; i < 3; ++i) ++atomic;
  }
};

}  // namespace speed
