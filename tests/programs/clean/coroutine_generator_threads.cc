// Expect: clean
// One generator coroutine that two threads resume by turns, under a mutex: its frame moves between
// them, and each number comes once.
#include <cassert>
#include <coroutine>
#include <exception>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

struct Numbers {
  struct promise_type {
    Numbers get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int number) {
      value = number;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { std::terminate(); }
    int value = 0;
  };
  std::coroutine_handle<promise_type> handle;
  std::optional<int> Next() {
    if (!handle.done()) handle.resume();
    if (handle.done()) return {};
    return handle.promise().value;
  }
};

Numbers UpTo(int last) {
  for (int i = 1; i <= last; ++i) co_yield i;
}

int main() {
  std::mutex mutex;
  std::set<int> seen;
  Numbers numbers = UpTo(5);
  auto take = [&] {
    for (;;) {
      std::lock_guard lock(mutex);
      std::optional<int> number = numbers.Next();
      if (!number) return;
      assert(seen.insert(*number).second);
    }
  };
  std::thread a(take), b(take);
  a.join();
  b.join();
  numbers.handle.destroy();
  assert(seen.size() == 5);
}
