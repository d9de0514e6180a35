// A text that several threads build. append() and insert() of another buffer ask that one for its
// length, and then for so many characters: in between it may have become shorter. With CORRECT they
// hold both locks.
// In the paper: StringBuffer, where append() ends in a StringIndexOutOfBoundsException.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>

namespace study {

class StringBuffer {
 public:
  StringBuffer() = default;
  explicit StringBuffer(const std::string& text) : text_(text) {}

  std::size_t length() const {
    std::lock_guard lock(mutex_);
    return text_.size();
  }
  std::string str() const {
    std::lock_guard lock(mutex_);
    return text_;
  }
  char at(std::size_t index) const {
    std::lock_guard lock(mutex_);
    return text_.at(index);
  }
  int index_of(const std::string& part) const {
    std::lock_guard lock(mutex_);
    const std::size_t at = text_.find(part);
    return at == std::string::npos ? -1 : static_cast<int>(at);
  }
  std::string substring(std::size_t begin, std::size_t end) const {
    std::lock_guard lock(mutex_);
    if (begin > end || end > text_.size()) throw std::out_of_range("StringBuffer::substring");
    return text_.substr(begin, end - begin);
  }

  void append(const std::string& text) {
    std::lock_guard lock(mutex_);
    text_ += text;
  }
  void insert(std::size_t index, const std::string& text) {
    std::lock_guard lock(mutex_);
    text_.insert(index, text);
  }
  void erase(std::size_t begin, std::size_t end) {
    std::lock_guard lock(mutex_);
    if (begin > text_.size() || begin > end) throw std::out_of_range("StringBuffer::erase");
    text_.erase(begin, end - begin);
  }
  void set_length(std::size_t length) {
    std::lock_guard lock(mutex_);
    text_.resize(length, ' ');
  }
  void reverse() {
    std::lock_guard lock(mutex_);
    std::reverse(text_.begin(), text_.end());
  }

  void append(const StringBuffer& other) {
#ifdef CORRECT
    if (&other == this) {
      std::lock_guard lock(mutex_);
      text_ += std::string(text_);
      return;
    }
    std::scoped_lock lock(mutex_, other.mutex_);
    text_ += other.text_;
#else
    append(other.substring(0, other.length()));
#endif
  }
  void insert(std::size_t index, const StringBuffer& other) {
#ifdef CORRECT
    if (&other == this) {
      std::lock_guard lock(mutex_);
      text_.insert(index, std::string(text_));
      return;
    }
    std::scoped_lock lock(mutex_, other.mutex_);
    text_.insert(index, other.text_);
#else
    insert(index, other.substring(0, other.length()));
#endif
  }

 private:
  mutable std::mutex mutex_;
  std::string text_;
};

}  // namespace study
