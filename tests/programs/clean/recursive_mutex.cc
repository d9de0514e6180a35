// Expect: clean
// std::recursive_mutex and recursive_timed_mutex: free for others only after as many unlocks as
// locks.
#include <cassert>
#include <chrono>
#include <mutex>
#include <thread>

std::recursive_mutex recursive;
std::recursive_timed_mutex timed;
int value;

void Add(int depth) {
  std::lock_guard lock(recursive);
  ++value;
  if (depth > 1) Add(depth - 1);
  ++value;
}

int main() {
  auto body = [] {
    {
      std::lock_guard lock(recursive);
      int before = value;
      Add(3);
      assert(value == before + 6);
    }
    if (timed.try_lock_for(std::chrono::milliseconds(5))) {
      assert(timed.try_lock());
      assert(timed.try_lock_for(std::chrono::milliseconds(5)));
      timed.unlock();
      timed.unlock();
      timed.unlock();
    }
  };
  std::thread t1(body), t2(body);
  t1.join();
  t2.join();
  assert(value == 12);
  assert(timed.try_lock());
  timed.unlock();
}
