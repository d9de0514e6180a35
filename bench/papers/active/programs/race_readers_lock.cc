// kind: race
// A cache is filled under a lock that is only shared.
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "../work.h"

namespace {
std::shared_mutex lock;
volatile int cached = 0;

void Fill(int value) {
  Work();
  if (kCorrect) {
    std::unique_lock guard(lock);
    cached = value;
  } else {
    std::shared_lock guard(lock);
    cached = value;
  }
  Work();
}
}  // namespace

int main() {
  std::thread first(Fill, 1), second(Fill, 2);
  first.join();
  second.join();
}
