// Expect: clean
// A large struct is copied under the lock of its writer.
#include <cassert>
#include <mutex>
#include <thread>

struct Settings {
  int values[40];
} settings;
std::mutex mutex;

int main() {
  std::thread writer([] {
    std::lock_guard lock(mutex);
    settings.values[0] = settings.values[39] = 1;
  });
  mutex.lock();
  Settings copy = settings;
  mutex.unlock();
  assert(copy.values[0] == copy.values[39]);
  writer.join();
}
