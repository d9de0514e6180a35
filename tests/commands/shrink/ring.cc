// Four threads add to a sum, without a lock and some steps apart: a lost update, amid much else.
#include <atomic>
#include <cassert>
#include <thread>
#include <vector>

std::atomic<int> sum{0};
std::atomic<int> noise{0};

int main() {
  const auto add = [] {
    for (int i = 0; i < 3; ++i) noise.fetch_add(1);
    const int seen = sum.load();
    noise.fetch_add(1);
    sum.store(seen + 1);
    for (int i = 0; i < 3; ++i) noise.fetch_add(1);
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(add);
  for (std::thread& thread : threads) thread.join();
  assert(sum == 4);
}
