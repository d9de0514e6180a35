// kind: race
// Each thread holds a lock, but not the same one.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex read_lock, write_lock;
int balance = 100;
volatile int seen = 0;
}  // namespace

int main() {
  std::thread writer([] {
    Work();
    {
      std::lock_guard guard(write_lock);
      balance = 50;
    }
    Work();
  });
  std::thread reader([] {
    Work();
    {
      std::lock_guard guard(kCorrect ? write_lock : read_lock);
      seen = balance;
    }
    Work();
  });
  writer.join();
  reader.join();
}
