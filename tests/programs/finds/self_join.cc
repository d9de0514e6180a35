// Expect: exception
// The last user of a shared thread object joins it: when that is the thread itself, join throws
// system_error.
#include <pthread.h>

#include <atomic>
#include <thread>

std::thread worker;
std::atomic<bool> assigned;
std::atomic<int> users = 2;

void Release() {
  if (--users == 0) worker.join();
}

int main() {
  worker = std::thread([] {
    while (!assigned) std::this_thread::yield();
    Release();
  });
  assigned = true;
  Release();
  if (worker.joinable()) pthread_exit(nullptr);
}
