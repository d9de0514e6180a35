// Expect: race
// The lock_guard's block ends before the second of the two counters.
#include <mutex>
#include <thread>

std::mutex mutex;
int calls, bytes;

int main() {
  auto body = [] {
    {
      std::lock_guard lock(mutex);
      ++calls;
    }
    bytes += 100;  // race
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
