// Expect: clean
// A pipeline of three stages with bounded channels; closing runs through it from the first stage to
// the last.
#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

class Channel {
 public:
  void Send(int value) {
    std::unique_lock lock(mutex_);
    cv_.wait(lock, [&] { return items_.size() < 2; });
    items_.push_back(value);
    cv_.notify_all();
  }
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    cv_.notify_all();
  }
  std::optional<int> Receive() {
    std::unique_lock lock(mutex_);
    cv_.wait(lock, [&] { return !items_.empty() || closed_; });
    if (items_.empty()) return {};
    int value = items_.front();
    items_.pop_front();
    cv_.notify_all();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Channel numbers, squares;
  std::thread source([&] {
    for (int i = 1; i <= 4; ++i) numbers.Send(i);
    numbers.Close();
  });
  std::thread square([&] {
    while (auto number = numbers.Receive()) squares.Send(*number * *number);
    squares.Close();
  });
  int sum = 0;
  while (auto value = squares.Receive()) sum += *value;
  source.join();
  square.join();
  assert(sum == 30);
}
