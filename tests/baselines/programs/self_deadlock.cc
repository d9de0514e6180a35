// Where a thread took the lock that it waits for is known.
#include <mutex>
#include <thread>

std::mutex mutex;

void Helper() { mutex.lock(); }

int main() {
  std::thread thread([] {
    mutex.lock();
    Helper();
  });
  thread.join();
}
