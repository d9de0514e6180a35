// A stream with a buffer that may be closed while another thread reads: close() takes the source
// away without the lock that readers hold. With CORRECT it waits for them.
// In the paper: BufferedInputStream, where a read ends in a NullPointerException.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace study {

// Where the bytes come from.
class TextSource {
 public:
  explicit TextSource(std::string text) : text_(std::move(text)) {}
  std::size_t read(std::vector<char>& to, std::size_t most) {
    const std::size_t count = std::min(most, text_.size() - at_);
    to.assign(text_.begin() + static_cast<std::ptrdiff_t>(at_),
              text_.begin() + static_cast<std::ptrdiff_t>(at_ + count));
    at_ += count;
    return count;
  }
  std::size_t left() const { return text_.size() - at_; }

 private:
  std::string text_;
  std::size_t at_ = 0;
};

class BufferedInput {
 public:
  explicit BufferedInput(const std::string& text)
      : source_(std::make_unique<TextSource>("header\n" + text)) {}

  // The next byte, or -1 at the end.
  int read() {
    std::lock_guard lock(mutex_);
    require_open();
    if (at_ == buffer_.size() && !fill()) return -1;
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  std::string read_some(std::size_t most) {
    std::lock_guard lock(mutex_);
    require_open();
    std::string result;
    while (result.size() < most && (at_ < buffer_.size() || fill())) result += buffer_[at_++];
    return result;
  }

  std::size_t skip(std::size_t count) {
    std::lock_guard lock(mutex_);
    require_open();
    std::size_t skipped = 0;
    for (; skipped < count && (at_ < buffer_.size() || fill()); ++skipped) ++at_;
    return skipped;
  }

  std::size_t available() const {
    std::lock_guard lock(mutex_);
    require_open();
    return buffer_.size() - at_ + source_->left();
  }

  // Goes back to where the buffer was filled last.
  void rewind() {
    std::lock_guard lock(mutex_);
    require_open();
    at_ = 0;
  }

  void close() {
#ifdef CORRECT
    std::lock_guard lock(mutex_);
#endif
    source_.reset();
    buffer_.clear();
    at_ = 0;
  }

  bool is_open() const {
    std::lock_guard lock(mutex_);
    return source_ != nullptr;
  }

 private:
  static constexpr std::size_t kBufferSize = 4;

  void require_open() const {
    if (source_ == nullptr) throw std::logic_error("the stream is closed");
  }
  bool fill() {
    at_ = 0;
    return source_->read(buffer_, kBufferSize) > 0;
  }

  mutable std::mutex mutex_;
  std::unique_ptr<TextSource> source_;
  std::vector<char> buffer_;
  std::size_t at_ = 0;
};

}  // namespace study
