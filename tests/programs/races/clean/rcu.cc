// Expect: clean
// Readers announce themselves; the writer publishes, waits until nobody reads, and reuses the old
// version.
#include <atomic>
#include <cassert>
#include <thread>

int versions[2] = {1, 0};
std::atomic<int*> current{&versions[0]};
std::atomic<int> readers;

int main() {
  auto read = [] {
    readers.fetch_add(1);
    assert(*current.load() > 0);
    readers.fetch_sub(1);
  };
  std::thread first(read), second(read);
  versions[1] = 2;
  current.store(&versions[1]);
  while (readers.load() != 0) std::this_thread::yield();
  versions[0] = 3;
  first.join();
  second.join();
}
