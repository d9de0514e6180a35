// Expect: clean
// try_lock; who does not get the lock counts for itself, and adds that up after the joins.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

int main() {
  int missed[2] = {};
  auto body = [&](int self) {
    for (int i = 0; i < 4; ++i) {
      if (mutex.try_lock()) {
        ++counter;
        mutex.unlock();
      } else {
        ++missed[self];
      }
    }
  };
  std::thread first(body, 0), second(body, 1);
  first.join();
  second.join();
  assert(counter + missed[0] + missed[1] == 8);
}
