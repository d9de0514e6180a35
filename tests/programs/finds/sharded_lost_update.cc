// Expect: assert
// A counter sharded by the hash of the thread's id, without an atomic addition: two of many threads
// that come to the same shard lose a count.
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>
#include <vector>

std::atomic<int> shards[4];

int main() {
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i)
    threads.emplace_back([] {
      auto hash = std::hash<std::thread::id>()(std::this_thread::get_id());
      std::atomic<int>& shard = shards[hash % 4];
      shard = shard + 1;
    });
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (auto& shard : shards) sum += shard;
  assert(sum == 8);
}
