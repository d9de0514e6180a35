// Expect: clean
// std::atomic_ref on plain objects, array elements and floating point; wait and notify through it.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  alignas(std::atomic_ref<long>::required_alignment) long total = 0;
  alignas(std::atomic_ref<double>::required_alignment) double sum = 0;
  int cells[3] = {};
  auto body = [&] {
    std::atomic_ref<long>(total).fetch_add(5);
    std::atomic_ref<double>(sum).fetch_add(0.5);
    for (int& cell : cells) ++std::atomic_ref<int>(cell);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  assert(total == 10 && sum == 1.0 && cells[0] == 2 && cells[1] == 2 && cells[2] == 2);

  int turn = 0;
  std::thread waiter([&] { std::atomic_ref<int>(turn).wait(0); });
  std::atomic_ref<int>(turn).store(1);
  std::atomic_ref<int>(turn).notify_one();
  waiter.join();
}
