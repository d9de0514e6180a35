// Expect: race
// A queue under a mutex, but its length is asked without it.
#include <mutex>
#include <queue>
#include <thread>

std::mutex mutex;
std::queue<int> queue;

int main() {
  std::thread producer([] {
    std::lock_guard lock(mutex);
    queue.push(1);  // race
  });
  volatile bool seen = queue.empty();  // race
  (void)seen;
  producer.join();
}
