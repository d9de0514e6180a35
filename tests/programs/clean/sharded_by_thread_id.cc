// Expect: clean
// A counter with a shard for each hash of a thread's id: which shard a thread gets does not matter
// for the sum. Many threads, one after the other.
#include <atomic>
#include <cassert>
#include <functional>
#include <thread>

std::atomic<int> shards[4];

void Add() { ++shards[std::hash<std::thread::id>()(std::this_thread::get_id()) % 4]; }

int main() {
  for (int round = 0; round < 3; ++round) {
    std::thread a(Add), b(Add), c(Add);
    a.join();
    b.join();
    c.join();
  }
  int sum = 0;
  for (auto& shard : shards) sum += shard;
  assert(sum == 9);
}
