// Expect: clean
// Flags: -std=c++20 -ltbb
// The containers, mutexes and thread-local variables of oneTBB, used by two threads.
#include <oneapi/tbb/combinable.h>
#include <oneapi/tbb/concurrent_hash_map.h>
#include <oneapi/tbb/concurrent_map.h>
#include <oneapi/tbb/concurrent_priority_queue.h>
#include <oneapi/tbb/concurrent_queue.h>
#include <oneapi/tbb/concurrent_unordered_map.h>
#include <oneapi/tbb/concurrent_vector.h>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/queuing_mutex.h>
#include <oneapi/tbb/queuing_rw_mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <oneapi/tbb/spin_mutex.h>
#include <oneapi/tbb/spin_rw_mutex.h>

#include <cassert>
#include <string>
#include <thread>

namespace tbb = oneapi::tbb;

template <class Mutex>
struct Guarded {
  Mutex mutex;
  int value = 0;
  void Add() {
    typename Mutex::scoped_lock lock(mutex);
    ++value;
  }
};

tbb::concurrent_hash_map<int, std::string> hash_map;
tbb::concurrent_unordered_map<int, std::string> unordered;
tbb::concurrent_map<int, std::string> ordered;
tbb::concurrent_vector<std::string> vector;
tbb::concurrent_queue<std::string> queue;
tbb::concurrent_bounded_queue<std::string> bounded;
tbb::concurrent_priority_queue<int> priorities;
tbb::enumerable_thread_specific<int> own;
tbb::combinable<int> sums;
Guarded<tbb::spin_mutex> a;
Guarded<tbb::queuing_mutex> b;
Guarded<tbb::mutex> c;
Guarded<tbb::rw_mutex> d;
Guarded<tbb::spin_rw_mutex> e;
Guarded<tbb::queuing_rw_mutex> f;

void Work(int n) {
  for (int i = 0; i < 3; ++i) {
    {
      decltype(hash_map)::accessor access;
      hash_map.insert(access, i);
      access->second += std::to_string(n);
    }
    unordered.emplace(i + 10 * n, std::string(20, 'u'));
    unordered.find(i);
    ordered.emplace(i + 10 * n, std::string(20, 'o'));
    ordered.find(i);
    vector.push_back(std::string(20, 'v'));
    queue.push(std::string(20, 'q'));
    std::string text;
    queue.try_pop(text);
    bounded.push(std::string(20, 'b'));
    bounded.pop(text);
    priorities.push(i);
    int top;
    priorities.try_pop(top);
    own.local() += i;
    sums.local() += i;
  }
  a.Add();
  b.Add();
  c.Add();
  d.Add();
  e.Add();
  f.Add();
  hash_map.erase(n);
}

int main() {
  bounded.set_capacity(1);
  std::thread other(Work, 1);
  Work(2);
  other.join();
  assert(a.value == 2 && b.value == 2 && c.value == 2 && d.value == 2 && e.value == 2 &&
         f.value == 2);
  assert(vector.size() == 6);
  assert(sums.combine([](int x, int y) { return x + y; }) == 6);
}
