// Expect: race
// A pointer to a thread_local variable was given away.
#include <atomic>
#include <thread>

thread_local int own;
std::atomic<int*> given_away;
std::atomic<bool> done;

int main() {
  std::thread owner([] {
    given_away.store(&own);
    own = 1;  // race
    while (!done.load()) std::this_thread::yield();
  });
  int* pointer;
  while ((pointer = given_away.load()) == nullptr) std::this_thread::yield();
  *pointer = 2;  // race
  done.store(true);
  owner.join();
}
