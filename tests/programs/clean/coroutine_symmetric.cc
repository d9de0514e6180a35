// Expect: clean
// Lazy tasks that await each other by symmetric transfer; the innermost one is resumed by another
// thread, which then runs the rest of the chain.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>
#include <utility>

class Task {
 public:
  struct promise_type {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() { return {}; }
    auto final_suspend() noexcept {
      struct Final : std::suspend_always {
        std::coroutine_handle<> await_suspend(
            std::coroutine_handle<promise_type> self) const noexcept {
          return self.promise().next;
        }
      };
      return Final{};
    }
    void return_value(int result) { value = result; }
    void unhandled_exception() { std::terminate(); }
    std::coroutine_handle<> next = std::noop_coroutine();
    int value = 0;
  };
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  Task(Task&& other) : handle_(std::exchange(other.handle_, nullptr)) {}
  ~Task() {
    if (handle_) handle_.destroy();
  }
  bool await_ready() { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> next) {
    handle_.promise().next = next;
    return handle_;
  }
  int await_resume() { return handle_.promise().value; }
  void Start() { handle_.resume(); }

 private:
  std::coroutine_handle<promise_type> handle_;
};

std::atomic<void*> parked;
std::atomic<int> result;

struct Park : std::suspend_always {
  void await_suspend(std::coroutine_handle<> handle) {
    parked = handle.address();
    parked.notify_one();
  }
};

Task Inner() {
  co_await Park{};
  co_return 1;
}
Task Middle() { co_return co_await Inner() + 10; }
Task Outer() {
  int value = co_await Middle();
  result = value + 100;
  co_return 0;
}

int main() {
  std::thread resumer([] {
    parked.wait(nullptr);
    std::coroutine_handle<>::from_address(parked.load()).resume();
  });
  {
    Task task = Outer();
    task.Start();
    resumer.join();
  }
  assert(result == 111);
}
