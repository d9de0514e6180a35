// Expect: clean
// A mutex for coroutines: unlocking hands the lock to the next coroutine of the list, and runs it
// in the thread that unlocks.
#include <cassert>
#include <coroutine>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

class AsyncMutex {
 public:
  auto Lock() {
    struct Awaiter {
      AsyncMutex* mutex;
      bool await_ready() { return false; }
      bool await_suspend(std::coroutine_handle<> handle) {
        std::lock_guard guard(mutex->guard_);
        if (!mutex->held_) {
          mutex->held_ = true;
          return false;
        }
        mutex->waiters_.push_back(handle);
        return true;
      }
      void await_resume() {}
    };
    return Awaiter{this};
  }
  void Unlock() {
    std::coroutine_handle<> next;
    {
      std::lock_guard guard(guard_);
      if (waiters_.empty()) {
        held_ = false;
        return;
      }
      next = waiters_.front();
      waiters_.pop_front();
    }
    next.resume();
  }

 private:
  std::mutex guard_;
  bool held_ = false;
  std::deque<std::coroutine_handle<>> waiters_;
};

AsyncMutex mutex;
int count;

Detached Add() {
  for (int i = 0; i < 2; ++i) {
    co_await mutex.Lock();
    ++count;
    mutex.Unlock();
  }
}

int main() {
  std::thread a(Add), b(Add), c(Add);
  a.join();
  b.join();
  c.join();
  assert(count == 6);
}
