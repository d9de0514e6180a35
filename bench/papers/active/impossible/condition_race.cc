// kind: race
// The data is used outside of the lock, after a condition variable has handed it over.
#include <condition_variable>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
std::condition_variable changed;
bool is_ready = false;
int data = 0;
}  // namespace

int main() {
  std::thread producer([] {
    Work();
    data = 42;
    {
      std::lock_guard guard(lock);
      is_ready = true;
    }
    changed.notify_one();
  });
  std::thread consumer([] {
    {
      std::unique_lock guard(lock);
      changed.wait(guard, [] { return is_ready; });
    }
    CHECK(data == 42);
  });
  producer.join();
  consumer.join();
}
