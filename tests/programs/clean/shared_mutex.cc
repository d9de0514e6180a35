// Expect: clean
// std::shared_mutex: readers never see a half-done write; all readers may hold the lock together.
#include <atomic>
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

int main() {
  std::shared_mutex mutex;
  int left = 0, right = 0;
  std::atomic<int> writing = 0, reading = 0;
  auto writer = [&] {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock lock(mutex);
      assert(++writing == 1 && reading == 0);
      ++left;
      ++right;
      --writing;
    }
  };
  auto reader = [&] {
    for (int i = 0; i < 2; ++i) {
      std::shared_lock lock(mutex, std::try_to_lock);
      if (!lock) lock.lock();
      ++reading;
      assert(left == right && writing == 0);
      --reading;
    }
  };
  std::thread threads[] = {std::thread(writer), std::thread(reader), std::thread(writer),
                           std::thread(reader)};
  for (auto& thread : threads) thread.join();
  assert(left == 4 && right == 4);

  std::shared_lock mine(mutex);
  std::thread([&] {
    assert(!mutex.try_lock());
    assert(mutex.try_lock_shared());
    mutex.unlock_shared();
  }).join();
}
