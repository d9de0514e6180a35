// kind: assertion
// An invariant over two variables, checked while a transfer is half done.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
std::atomic<int> checking = 50, savings = 50;
}  // namespace

int main() {
  std::thread transfer([] {
    Work();
    lock.lock();
    checking -= 10;
    savings += 10;
    lock.unlock();
    Work();
  });
  std::thread audit([] {
    Work();
    if (kCorrect) lock.lock();
    assert(checking + savings == 100);
    if (kCorrect) lock.unlock();
    Work();
  });
  transfer.join();
  audit.join();
}
