// A channel without a buffer, as in Go: a value is handed over when a sender and a receiver meet.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "waiting.h"

template <class T>
class Channel {
 public:
  // Waits until a receiver has it; false if the channel is closed first.
  bool send(T value) {
    std::unique_lock lock(mutex_);
    if (closed_) return false;
    if (hand_over(value)) return true;
    Waiting waiting(senders_count_);
    Slot slot{std::move(value)};
    senders_.push_back(&slot);
    slot.changed.wait(lock, [&] { return slot.done; });
    return !slot.value.has_value();
  }

  // Sends only if a receiver waits.
  bool try_send(T value) {
    std::lock_guard lock(mutex_);
    return !closed_ && hand_over(value);
  }

  // Waits for a sender; nothing if the channel is closed.
  std::optional<T> receive() {
    std::unique_lock lock(mutex_);
    if (std::optional<T> value = take_over()) return value;
    if (closed_) return std::nullopt;
    Waiting waiting(receivers_count_);
    Slot slot{std::nullopt};
    receivers_.push_back(&slot);
    slot.changed.wait(lock, [&] { return slot.done; });
    return std::move(slot.value);
  }

  // Receives only if a sender waits.
  std::optional<T> try_receive() {
    std::lock_guard lock(mutex_);
    return take_over();
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    for (Slot* slot : senders_) slot->finish();
    for (Slot* slot : receivers_) slot->finish();
    senders_.clear();
    receivers_.clear();
  }

  int waiting_senders() const { return senders_count_; }
  int waiting_receivers() const { return receivers_count_; }

 private:
  // A thread that waits: a sender with its value, or a receiver with room for one. It lives on the
  // thread's stack, and is touched with the lock held only.
  struct Slot {
    explicit Slot(std::optional<T> initial) : value(std::move(initial)) {}
    void finish() {
      done = true;
      changed.notify_one();
    }
    std::optional<T> value;
    bool done = false;
    std::condition_variable changed;
  };

  bool hand_over(T& value) {
    if (receivers_.empty()) return false;
    Slot* slot = receivers_.front();
    receivers_.pop_front();
    slot->value = std::move(value);
    slot->finish();
    return true;
  }

  std::optional<T> take_over() {
    if (senders_.empty()) return std::nullopt;
    Slot* slot = senders_.front();
    senders_.pop_front();
    std::optional<T> value = std::move(slot->value);
    slot->value.reset();
    slot->finish();
    return value;
  }

  std::mutex mutex_;
  std::deque<Slot*> senders_, receivers_;
  bool closed_ = false;
  std::atomic<int> senders_count_ = 0, receivers_count_ = 0;
};
