// Expect: clean
// Exceptions that cross threads through futures: thrown by a task, set by hand, and of a promise
// that is destroyed before it has a value.
#include <cassert>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  auto thrown =
      std::async(std::launch::async, []() -> int { throw std::runtime_error("from the task"); });
  std::promise<int> promise;
  std::shared_future<int> set = promise.get_future().share();
  auto reader = [set] {
    try {
      set.get();
      assert(false);
    } catch (const std::logic_error& error) {
      assert(std::string(error.what()) == "set by hand");
    }
  };
  std::thread a(reader), b(reader);
  promise.set_exception(std::make_exception_ptr(std::logic_error("set by hand")));
  try {
    thrown.get();
    assert(false);
  } catch (const std::runtime_error& error) {
    assert(std::string(error.what()) == "from the task");
  }
  std::future<int> broken;
  std::thread c([&broken] {
    std::promise<int> forgotten;
    broken = forgotten.get_future();
  });
  c.join();
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
  a.join();
  b.join();
}
