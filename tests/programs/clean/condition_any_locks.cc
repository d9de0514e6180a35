// Expect: clean
// std::condition_variable_any waits with any lock; the mutex inside it is its own business.
#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex shared;
std::recursive_mutex recursive;
std::condition_variable_any changed;
int stage;

int main() {
  std::thread reader([] {
    std::shared_lock lock(shared);
    changed.wait(lock, [] { return stage == 1; });
  });
  std::thread other([] {
    std::unique_lock lock(recursive);
    changed.wait_for(lock, std::chrono::seconds(1));
  });
  {
    std::unique_lock lock(shared);
    stage = 1;
  }
  changed.notify_all();
  reader.join();
  other.join();
}
