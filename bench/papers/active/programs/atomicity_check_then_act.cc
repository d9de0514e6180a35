// kind: atomicity
// R-W-W: the lock is given back between the look and the sale.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
int left = 1;

void Buy() {
  Work();
  lock.lock();
  const bool is_left = left > 0;
  if (!kCorrect) {
    lock.unlock();
    lock.lock();
  }
  if (is_left) left = left - 1;
  lock.unlock();
  Work();
}
}  // namespace

int main() {
  std::thread alice(Buy), bob(Buy);
  alice.join();
  bob.join();
  CHECK(left == 0);
}
