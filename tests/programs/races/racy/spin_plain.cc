// Expect: race
// A lock that is a plain bool: test, then set.
#include <thread>

bool taken;
int counter;

int main() {
  auto body = [] {
    while (taken) std::this_thread::yield();  // race
    taken = true;                             // race
    ++counter;                                // race
    taken = false;                            // race
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
