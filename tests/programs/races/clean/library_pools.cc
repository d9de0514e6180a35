// Expect: clean
// Flags: -std=c++20
// The pools of std::pmr, whose code is in libstdc++.so, hand the memory of one thread to the next.
#include <deque>
#include <list>
#include <memory_resource>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

std::mutex mutex;
std::pmr::synchronized_pool_resource shared_pool;
std::pmr::unsynchronized_pool_resource locked_pool;
std::pmr::list<int> handed_over(&shared_pool);

template <class Container>
void Fill(Container container, int n) {
  for (int i = 0; i < 3; ++i) container.push_back(n + i);
}

void Work(int n) {
  for (int round = 0; round < 2; ++round) {
    Fill(std::pmr::vector<int>(&shared_pool), n);
    Fill(std::pmr::list<long>(&shared_pool), n);
    std::byte buffer[256];
    std::pmr::monotonic_buffer_resource arena(buffer, sizeof buffer, &shared_pool);
    Fill(std::pmr::vector<int>(&arena), n);
    const std::lock_guard guard(mutex);
    Fill(std::pmr::deque<int>(&locked_pool), n);
    if (handed_over.size() > 2) handed_over.pop_front();  // perhaps another thread's
    handed_over.push_back(n);
  }
}

int main() {
  std::thread a(Work, 1), b(Work, 2);
  a.join();
  Work(3);
  b.join();
}
