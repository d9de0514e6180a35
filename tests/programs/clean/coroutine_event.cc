// Expect: clean
// A one-shot event without locks: coroutines push themselves on a list, and setting the event takes
// the whole list at once and resumes it.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
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

class Event {
 public:
  struct Awaiter {
    Event* event;
    Awaiter* next = nullptr;
    std::coroutine_handle<> handle;
    bool await_ready() { return event->state_.load() == event; }
    bool await_suspend(std::coroutine_handle<> self) {
      handle = self;
      void* old = event->state_.load();
      do {
        if (old == event) return false;
        next = static_cast<Awaiter*>(old);
      } while (!event->state_.compare_exchange_weak(old, this));
      return true;
    }
    void await_resume() {}
  };
  Awaiter operator co_await() { return {this}; }
  void Set() {
    auto* waiter = static_cast<Awaiter*>(state_.exchange(this));
    while (waiter != nullptr) {
      Awaiter* next = waiter->next;  // resuming destroys the awaiter
      waiter->handle.resume();
      waiter = next;
    }
  }

 private:
  std::atomic<void*> state_ = nullptr;  // the waiters, or `this` once it is set
};

Event event;
int value;
std::atomic<int> sum;

Detached Wait() {
  co_await event;
  sum += value;
}

int main() {
  std::thread a(Wait), b(Wait), setter([] {
    value = 5;
    event.Set();
  });
  a.join();
  b.join();
  setter.join();
  assert(sum == 10);
}
