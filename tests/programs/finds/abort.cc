// Expect: abort
// abort() when a resource is released while the other thread still uses it.
#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<int> users;

int main() {
  std::thread user([] {
    ++users;
    std::this_thread::yield();
    --users;
  });
  if (users != 0) std::abort();
  user.join();
}
