// kind: atomicity
// W-W-R: a thread does not read what it wrote.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
int request = 0;
int wrong = 0;

void Ask(int id) {
  Work();
  lock.lock();
  request = id;
  if (!kCorrect) {
    lock.unlock();
    lock.lock();
  }
  if (request != id) wrong = wrong + 1;
  lock.unlock();
  Work();
}
}  // namespace

int main() {
  std::thread first(Ask, 1), second(Ask, 2);
  first.join();
  second.join();
  CHECK(wrong == 0);
}
