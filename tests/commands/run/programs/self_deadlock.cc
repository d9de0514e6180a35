// Where a thread took the lock that it waits for is known.
#include <mutex>
#include <thread>

std::mutex door;

void Helper() { door.lock(); }

int main() {
  std::thread thread([] {
    door.lock();
    Helper();
  });
  thread.join();
}
