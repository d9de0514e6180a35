// A thread waits for a flag that another one sets.
#pragma once

#include <snag/schedule.h>

#include <condition_variable>
#include <mutex>
#include <thread>

inline bool wait_for_flag() {
  std::mutex mutex;
  std::condition_variable changed;
  bool flag = false;
  std::thread setter([&] {
    SNAG_EVENT(setting);
    {
      std::lock_guard<std::mutex> lock(mutex);
      flag = true;
      changed.notify_one();
    }
    SNAG_EVENT(hasSet);
  });
  SNAG_EVENT(waiting);
  {
    std::unique_lock<std::mutex> lock(mutex);
    changed.wait(lock, [&] { return flag; });
  }
  setter.join();
  return flag;
}
