// Expect: race
// A function that unlocks a recursive mutex once too often, for its caller, who goes on.
#include <mutex>
#include <thread>

std::recursive_mutex mutex;
int counter;

void helper() {
  mutex.lock();
  ++counter;  // race
  mutex.unlock();
  mutex.unlock();  // the caller's
}

int main() {
  auto body = [] {
    mutex.lock();
    helper();
    ++counter;  // race
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
