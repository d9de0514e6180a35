// Expect: assert
// clean/coroutine_async_mutex.cc, where the lock is free while it is handed over: a newcomer gets
// it as well.
#include <atomic>
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
      held_ = false;
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
std::atomic<int> inside;

Detached Add() {
  for (int i = 0; i < 2; ++i) {
    co_await mutex.Lock();
    assert(++inside == 1);
    ++count;
    --inside;
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
