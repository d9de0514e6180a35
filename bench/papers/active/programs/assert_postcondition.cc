// kind: assertion
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
std::atomic<int> count = 0;

void Increment() {
  if (kCorrect) lock.lock();
  const int before = count;
  count.fetch_add(1);
  assert(count == before + 1);
  if (kCorrect) lock.unlock();
}

void Run() {
  Work();
  Increment();
  Work();
}
}  // namespace

int main() {
  std::thread first(Run), second(Run);
  first.join();
  second.join();
}
