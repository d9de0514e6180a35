// Expect: clean
// std::mutex with lock_guard, unique_lock, scoped_lock over two mutexes in both orders, and
// try_lock.
#include <cassert>
#include <mutex>
#include <thread>

int main() {
  std::mutex a, b;
  int guarded = 0, both = 0, tried = 0;
  auto body = [&](std::mutex& first, std::mutex& second) {
    for (int i = 0; i < 3; ++i) {
      {
        std::lock_guard lock(a);
        ++guarded;
      }
      {
        std::scoped_lock lock(first, second);
        ++both;
      }
      std::unique_lock lock(b, std::defer_lock);
      if (!lock.try_lock()) lock.lock();
      ++tried;
    }
  };
  std::thread t1(body, std::ref(a), std::ref(b)), t2(body, std::ref(b), std::ref(a));
  t1.join();
  t2.join();
  assert(guarded == 6 && both == 6 && tried == 6);
}
