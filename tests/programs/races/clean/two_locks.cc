// Expect: clean
// Two mutexes: the writers take both, a reader needs only one of them.
#include <cassert>
#include <mutex>
#include <thread>

std::mutex left, right;
int counter;

int main() {
  auto write = [] {
    std::scoped_lock lock(left, right);
    ++counter;
  };
  auto read = [](std::mutex& mutex) {
    std::lock_guard lock(mutex);
    return counter;
  };
  int seen_left = 0, seen_right = 0;
  std::thread first(write), second(write);
  std::thread third([&] { seen_left = read(left); });
  std::thread fourth([&] { seen_right = read(right); });
  for (std::thread* thread : {&first, &second, &third, &fourth}) thread->join();
  assert(counter == 2 && seen_left <= 2 && seen_right <= 2);
}
