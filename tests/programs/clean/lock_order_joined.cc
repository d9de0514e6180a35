// Expect: clean
// Both orders, but the threads are never there at the same time: one is joined before the other
// begins, and main is through before it makes the first.
#include <mutex>
#include <thread>

std::mutex first, second;

void forward() {
  std::lock_guard a(first);
  std::lock_guard b(second);
}
void backward() {
  std::lock_guard b(second);
  std::lock_guard a(first);
}

int main() {
  std::thread bystander([] {});
  backward();
  std::thread one(forward);
  one.join();
  std::thread two(backward);
  two.join();
  forward();
  bystander.join();
}
