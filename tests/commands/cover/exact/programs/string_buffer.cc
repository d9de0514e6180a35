// The paper's StringBuffer: append(sb) asks sb for its length and then for its characters, and sb
// may have become shorter in between.
#include <cstring>
#include <mutex>
#include <thread>

class Buffer {
 public:
  explicit Buffer(const char* text) : count_(std::strlen(text)) {
    std::memcpy(value_, text, count_);
  }

  std::size_t length() {
    std::lock_guard<std::mutex> guard(mutex_);
    return count_;
  }
  void set_length(std::size_t length) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (std::size_t i = count_; i < length; ++i) value_[i] = ' ';
    count_ = length;
  }
  bool get(std::size_t length, char* to) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (length > count_) return false;  // the exception of the original
    std::memcpy(to, value_, length);
    return true;
  }
  void append(Buffer& other) {
    std::lock_guard<std::mutex> guard(mutex_);
    const std::size_t length = other.length();
    if (count_ + length > sizeof value_) return;
    if (other.get(length, value_ + count_)) count_ += length;
  }

 private:
  std::mutex mutex_;
  std::size_t count_;
  char value_[32];
};

int main() {
  Buffer a("abc"), b("defgh");
  std::thread first([&] {
    a.append(b);
    a.append(b);
  });
  std::thread second([&] {
    b.set_length(0);
    b.set_length(7);
  });
  first.join();
  second.join();
}
