// Expect: deadlock | lost-wakeup
// The channel of clean/pipeline_stages.cc with room for one item and notify_one, although senders
// and receivers share its condition: the wrong one is woken.
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
    cv_.wait(lock, [&] { return items_.empty(); });
    items_.push_back(value);
    cv_.notify_one();
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
    cv_.notify_one();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable cv_;
  std::deque<int> items_;
  bool closed_ = false;
};

int main() {
  Channel numbers;
  auto send = [&] {
    for (int i = 1; i <= 2; ++i) numbers.Send(i);
  };
  auto receive = [&] {
    for (int i = 1; i <= 2; ++i) assert(numbers.Receive() <= 2);
  };
  std::thread a(send), b(send), c(receive), d(receive);
  a.join();
  b.join();
  c.join();
  d.join();
}
