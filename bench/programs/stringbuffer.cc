// stringbuffer (JDK 1.4): a.Append(b) asks b for its length and then for that many characters, in
// two locked calls.
// Fails: another thread erases b between the two calls, and Append asks for characters that are not
// there any more.
// Correct: Append holds b's monitor over both calls.
#include <cstring>
#include <mutex>
#include <thread>

#include "check.h"

namespace {

class StringBuffer {
 public:
  explicit StringBuffer(const char* text) { Append(text); }

  int Length() {
    std::lock_guard guard(monitor_);
    return length_;
  }

  void CopyTo(char* destination, int length) {
    std::lock_guard guard(monitor_);
    CHECK(length <= length_);  // Java: StringIndexOutOfBoundsException
    std::memcpy(destination, text_, length);
  }

  void Erase() {
    std::lock_guard guard(monitor_);
    length_ = 0;
  }

  void Append(const char* text) {
    std::lock_guard guard(monitor_);
    int length = static_cast<int>(std::strlen(text));
    CHECK(length_ + length <= kCapacity);
    std::memcpy(text_ + length_, text, length);
    length_ += length;
  }

  void Append(StringBuffer& other) {
    std::lock_guard guard(monitor_);
    std::unique_lock other_guard(other.monitor_, std::defer_lock);
    if (kCorrect) other_guard.lock();
    int length = other.Length();
    CHECK(length_ + length <= kCapacity);
    other.CopyTo(text_ + length_, length);
    length_ += length;
  }

 private:
  static constexpr int kCapacity = 16;

  std::recursive_mutex monitor_;  // recursive, as Java's monitors are
  char text_[kCapacity] = {};
  int length_ = 0;
};

StringBuffer a("abc");
StringBuffer b("defg");

}  // namespace

int main() {
  std::thread eraser([] {
    b.Erase();
    b.Append("hi");
  });
  std::thread appender([] { a.Append(b); });
  eraser.join();
  appender.join();
}
