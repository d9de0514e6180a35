// Expect: deadlock
// Switches: 2
// One thread holds a and waits for b while the other holds b and waits for a.
#include <mutex>
#include <thread>

std::mutex a, b;

int main() {
  std::thread one([] {
    std::lock_guard first(a);
    std::lock_guard second(b);
  });
  std::thread two([] {
    std::lock_guard first(b);
    std::lock_guard second(a);
  });
  one.join();
  two.join();
}
