// A bounded blocking queue, first in, first out; like ArrayBlockingQueue, with a way to close it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <utility>

#include "waiting.h"

struct QueueFull : std::runtime_error {
  QueueFull() : std::runtime_error("the queue is full") {}
};

struct QueueClosed : std::runtime_error {
  QueueClosed() : std::runtime_error("the queue is closed") {}
};

template <class T>
class BlockingQueue {
 public:
  explicit BlockingQueue(std::size_t capacity) : capacity_(capacity) {}

  // Does not wait: throws QueueFull.
  void add(T value) {
    if (!offer(std::move(value))) throw QueueFull();
  }

  // Does not wait: false if the queue is full.
  bool offer(T value) {
    std::lock_guard lock(mutex_);
    throw_if_closed();
    if (items_.size() >= capacity_) return false;
    push(std::move(value));
    return true;
  }

  void put(T value) {
    std::unique_lock lock(mutex_);
    {
      Waiting waiting(putters_);
      has_room_.wait(lock, [this] { return closed_ || items_.size() < capacity_; });
    }
    throw_if_closed();
    push(std::move(value));
  }

  // What was in the queue when it was closed can still be taken; then QueueClosed is thrown.
  T take() {
    std::unique_lock lock(mutex_);
    {
      Waiting waiting(takers_);
      has_items_.wait(lock, [this] { return closed_ || !items_.empty(); });
    }
    if (items_.empty()) throw QueueClosed();
    return pop();
  }

  // Does not wait.
  std::optional<T> poll() {
    std::lock_guard lock(mutex_);
    if (items_.empty()) return std::nullopt;
    return pop();
  }

  template <class Rep, class Period>
  std::optional<T> poll_for(std::chrono::duration<Rep, Period> limit) {
    std::unique_lock lock(mutex_);
    {
      Waiting waiting(takers_);
      has_items_.wait_for(lock, limit, [this] { return closed_ || !items_.empty(); });
    }
    if (items_.empty()) return std::nullopt;
    return pop();
  }

  void close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    has_items_.notify_all();
    has_room_.notify_all();
  }

  std::size_t size() const {
    std::lock_guard lock(mutex_);
    return items_.size();
  }

  bool empty() const { return size() == 0; }

  // How many threads wait, or are about to with the lock in their hands.
  int waiting_takers() const { return takers_; }
  int waiting_putters() const { return putters_; }

 private:
  void throw_if_closed() const {
    if (closed_) throw QueueClosed();
  }

  void push(T value) {
    items_.push_back(std::move(value));
    has_items_.notify_one();
  }

  T pop() {
    T value = std::move(items_.front());
    items_.pop_front();
    has_room_.notify_one();
    return value;
  }

  const std::size_t capacity_;
  mutable std::mutex mutex_;
  std::condition_variable has_items_, has_room_;
  std::deque<T> items_;
  bool closed_ = false;
  std::atomic<int> takers_ = 0, putters_ = 0;
};
