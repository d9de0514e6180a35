// Many readers or one writer. Writers that wait keep new readers out, so that they are not starved.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>

#include "waiting.h"

class ReadWriteLock {
 public:
  void lock_shared() {
    std::unique_lock lock(mutex_);
    Waiting waiting(waiting_readers_);
    changed_.wait(lock, [this] { return !writing_ && waiting_writers_ == 0; });
    ++readers_;
  }

  bool try_lock_shared() {
    std::lock_guard lock(mutex_);
    if (writing_ || waiting_writers_ > 0) return false;
    ++readers_;
    return true;
  }

  void unlock_shared() {
    std::lock_guard lock(mutex_);
    if (--readers_ == 0) changed_.notify_all();
  }

  void lock() {
    std::unique_lock lock(mutex_);
    Waiting waiting(waiting_writers_);
    changed_.wait(lock, [this] { return !writing_ && readers_ == 0; });
    writing_ = true;
  }

  bool try_lock() {
    std::lock_guard lock(mutex_);
    if (writing_ || readers_ > 0) return false;
    writing_ = true;
    return true;
  }

  void unlock() {
    std::lock_guard lock(mutex_);
    writing_ = false;
    changed_.notify_all();
  }

  // From the writer to a reader, without a moment in which another writer could come in.
  void downgrade() {
    std::lock_guard lock(mutex_);
    writing_ = false;
    ++readers_;
    changed_.notify_all();
  }

  int waiting_readers() const { return waiting_readers_; }
  int waiting_writers() const { return waiting_writers_; }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int readers_ = 0;
  bool writing_ = false;
  std::atomic<int> waiting_readers_ = 0, waiting_writers_ = 0;
};
