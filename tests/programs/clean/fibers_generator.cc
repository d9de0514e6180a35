// Expect: clean
// A generator on a stack of its own (makecontext) in each of two threads; what they yield goes
// through a queue with a condition variable to main.
#include <ucontext.h>

#include <cassert>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

class Generator {
 public:
  explicit Generator(int last) : stack_(64 << 10), last_(last) {
    getcontext(&inside_);
    inside_.uc_stack.ss_sp = stack_.data();
    inside_.uc_stack.ss_size = stack_.size();
    inside_.uc_link = &outside_;
    starting = this;
    makecontext(&inside_, reinterpret_cast<void (*)()>(&Generator::Body), 0);
  }
  bool Next(int* value) {
    swapcontext(&outside_, &inside_);
    *value = value_;
    return !ended_;
  }

 private:
  static void Body() {
    Generator* self = starting;
    for (int i = 1; i <= self->last_; ++i) {
      self->value_ = i;
      swapcontext(&self->inside_, &self->outside_);
    }
    self->ended_ = true;
  }
  static inline thread_local Generator* starting;
  std::vector<char> stack_;
  ucontext_t inside_, outside_;
  int last_, value_ = 0;
  bool ended_ = false;
};

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  std::deque<int> values;
  auto produce = [&](int last) {
    Generator numbers(last);
    for (int value; numbers.Next(&value);) {
      std::lock_guard lock(mutex);
      values.push_back(value);
      cv.notify_one();
    }
  };
  std::thread a(produce, 3), b(produce, 4);
  int sum = 0;
  for (int i = 0; i < 7; ++i) {
    std::unique_lock lock(mutex);
    cv.wait(lock, [&] { return !values.empty(); });
    sum += values.front();
    values.pop_front();
  }
  a.join();
  b.join();
  assert(sum == 6 + 10);
}
