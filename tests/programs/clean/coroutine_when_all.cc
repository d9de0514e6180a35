// Expect: clean
// when_all: three threads complete a part each, and the last one resumes the coroutine that
// waits for all of them.
#include <atomic>
#include <cassert>
#include <coroutine>
#include <exception>
#include <thread>
#include <vector>

struct Detached {
  struct promise_type {
    Detached get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
  };
};

struct WhenAll {
  explicit WhenAll(int parts) : left(parts + 1) {}
  bool await_ready() { return false; }
  bool await_suspend(std::coroutine_handle<> handle) {
    waiter = handle;
    return left.fetch_sub(1) != 1;
  }
  void await_resume() {}
  void Done() {
    if (left.fetch_sub(1) == 1) waiter.resume();
  }
  std::atomic<int> left;
  std::coroutine_handle<> waiter;
};

int parts[3];
int sum;

Detached Sum(WhenAll& all) {
  co_await all;
  for (int part : parts) sum += part;
}

int main() {
  WhenAll all(3);
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&, i] {
      parts[i] = i + 1;
      all.Done();
    });
  Sum(all);
  for (auto& thread : threads) thread.join();
  assert(sum == 6);
}
