// kind: atomicity
// Two variables that belong together are read one after the other.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
std::mutex lock;
int low = 0, high = 0;
int difference = 0;
}  // namespace

int main() {
  std::thread writer([] {
    Work();
    lock.lock();
    low = 5;
    high = 5;
    lock.unlock();
    Work();
  });
  std::thread reader([] {
    Work();
    lock.lock();
    const int a = low;
    if (!kCorrect) {
      lock.unlock();
      lock.lock();
    }
    const int b = high;
    lock.unlock();
    difference = b - a;
    Work();
  });
  writer.join();
  reader.join();
  CHECK(difference == 0);
}
