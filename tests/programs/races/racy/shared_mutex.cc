// Expect: race
// Readers of a shared_mutex count their hits: a write under the shared lock.
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int value, hits;

int main() {
  auto read = [] {
    std::shared_lock lock(mutex);
    ++hits;  // race
    return value;
  };
  std::thread first(read), second(read);
  first.join();
  second.join();
}
