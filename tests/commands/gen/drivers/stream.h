// A stream that may be closed while it is read: an exception that no order of the calls throws.
// With FIXED, looking and reading are one step.
#pragma once

#include <mutex>
#include <stdexcept>
#include <string>

class Stream {
 public:
  explicit Stream(const std::string& text) : text_(text) {}
  int read() {
    std::unique_lock lock(mutex_);
    if (!is_open_) return -1;
#ifndef FIXED
    lock.unlock();
    lock.lock();
#endif
    if (!is_open_) throw std::logic_error("closed while it is read");
    return at_ < text_.size() ? text_[at_++] : -1;
  }
  void close() {
    std::lock_guard lock(mutex_);
    is_open_ = false;
  }
  bool is_open() const {
    std::lock_guard lock(mutex_);
    return is_open_;
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
  std::size_t at_ = 0;
  bool is_open_ = true;
};
