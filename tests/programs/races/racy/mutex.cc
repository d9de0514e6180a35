// Expect: race
// Two threads count, but only one of them takes the mutex.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

int main() {
  std::thread careful([] {
    std::lock_guard lock(mutex);
    ++counter;  // race
  });
  std::thread careless([] { ++counter; });  // race
  careful.join();
  careless.join();
}
