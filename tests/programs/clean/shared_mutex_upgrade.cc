// Expect: clean
// An upgrade from shared to exclusive: the shared lock is given up first, and what was seen under
// it is checked again by a version number.
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
    if (version != seen_version) continue;
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
