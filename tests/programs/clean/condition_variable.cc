// Expect: clean
// std::condition_variable: wait with a predicate, notify_one and notify_all, with and without the
// lock held.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

int main() {
  std::mutex mutex;
  std::condition_variable cv;
  int turn = 0;
  auto player = [&](int me) {
    for (int i = 0; i < 3; ++i) {
      std::unique_lock lock(mutex);
      cv.wait(lock, [&] { return turn % 3 == me; });
      ++turn;
      if (me == 0) lock.unlock();
      cv.notify_all();
    }
  };
  std::thread a(player, 0), b(player, 1), c(player, 2);
  a.join();
  b.join();
  c.join();
  assert(turn == 9);

  bool go = false;
  std::thread waiter([&] {
    std::unique_lock lock(mutex);
    while (!go) cv.wait(lock);
  });
  {
    std::lock_guard lock(mutex);
    go = true;
  }
  cv.notify_one();
  waiter.join();
}
