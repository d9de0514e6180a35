// Expect: clean
// wait_for and wait_until on futures: ready, timeout or deferred; after ready the value is there.
#include <cassert>
#include <chrono>
#include <future>
#include <thread>

using namespace std::chrono_literals;

int main() {
  std::promise<int> promise;
  auto future = promise.get_future();
  assert(future.wait_for(0s) == std::future_status::timeout);
  auto start = std::chrono::steady_clock::now();
  assert(future.wait_for(5ms) == std::future_status::timeout);
  assert(std::chrono::steady_clock::now() - start >= 5ms);

  std::thread setter([&] {
    std::this_thread::sleep_for(1ms);
    promise.set_value(3);
  });
  auto status = future.wait_until(std::chrono::system_clock::now() + 2ms);
  assert(status == std::future_status::ready || status == std::future_status::timeout);
  while (future.wait_for(1ms) != std::future_status::ready) {
  }
  assert(future.get() == 3);
  setter.join();

  auto deferred = std::async(std::launch::deferred, [] { return 4; });
  assert(deferred.wait_for(1h) == std::future_status::deferred);
  assert(deferred.get() == 4);
}
