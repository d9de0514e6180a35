// Expect: assert
// clean/shared_mutex_upgrade.cc without the look at the version: an update is lost between the two
// locks.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int version, value;

void Double() {
  for (;;) {
    int seen_version, seen_value;
    {
      std::shared_lock lock(mutex);
      seen_version = version;
      seen_value = value;
    }
    std::unique_lock lock(mutex);
    value = seen_value * 2;
    ++version;
    return;
  }
}

int main() {
  value = 1;
  std::thread a(Double), b(Double), c(Double);
  a.join();
  b.join();
  c.join();
  assert(value == 8 && version == 3);
}
