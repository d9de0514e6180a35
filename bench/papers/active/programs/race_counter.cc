// kind: race
// A statistic that one thread updates without the lock.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
int served = 0;
}  // namespace

int main() {
  std::thread server([] {
    Work();
    {
      std::lock_guard guard(lock);
      served = served + 1;
    }
    Work();
  });
  std::thread monitor([] {
    Work();
    if (kCorrect) {
      std::lock_guard guard(lock);
      served = 0;
    } else {
      served = 0;
    }
    Work();
  });
  server.join();
  monitor.join();
}
