// Expect: clean
// promise, future, shared_future, packaged_task and async (both policies), with values, void and
// exceptions.
#include <cassert>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

int main() {
  std::promise<std::unique_ptr<int>> promise;
  auto future = promise.get_future();
  std::thread setter([&] { promise.set_value(std::make_unique<int>(7)); });
  assert(*future.get() == 7);
  setter.join();

  std::promise<void> start;
  std::shared_future<void> started = start.get_future().share();
  auto a = std::async(std::launch::async, [started] {
    started.get();
    return 1;
  });
  auto b = std::async(std::launch::async, [started] {
    started.get();
    return 2;
  });
  start.set_value();
  assert(a.get() + b.get() == 3);

  auto lazy = std::async(std::launch::deferred, [id = std::this_thread::get_id()] {
    return id == std::this_thread::get_id();
  });
  assert(lazy.get());

  std::packaged_task<std::string(int)> task([](int x) -> std::string {
    if (x < 0) throw std::invalid_argument("negative");
    return std::to_string(x);
  });
  auto good = task.get_future();
  std::thread([&] { task(5); }).join();
  assert(good.get() == "5");
  task.reset();
  auto bad = task.get_future();
  std::thread runner(std::move(task), -1);
  try {
    bad.get();
    assert(false);
  } catch (const std::invalid_argument&) {
  }
  runner.join();

  std::future<int> broken;
  {
    std::promise<int> dropped;
    broken = dropped.get_future();
  }
  try {
    broken.get();
    assert(false);
  } catch (const std::future_error& error) {
    assert(error.code() == std::future_errc::broken_promise);
  }
}
