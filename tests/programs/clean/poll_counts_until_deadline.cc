// Expect: clean
// A thread counts as far as it comes within two milliseconds: a loop of writes that ends by time.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

using std::chrono::steady_clock;

int main() {
  std::atomic<long> count = 0;
  auto body = [&] {
    auto deadline = steady_clock::now() + std::chrono::milliseconds(2);
    do ++count;
    while (steady_clock::now() < deadline);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(count >= 2);
}
