// Expect: deadlock
// Readers try to become the writer without giving up their read locks: they wait for each other and
// themselves.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;

int main() {
  auto upgrade = [] {
    std::shared_lock read(mutex);
    std::unique_lock write(mutex);
  };
  std::thread a(upgrade), b(upgrade);
  a.join();
  b.join();
}
