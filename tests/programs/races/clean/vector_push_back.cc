// Expect: clean
// Appending under a mutex, also when the vector has to grow.
#include <cassert>
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> numbers;

int main() {
  auto body = [] {
    for (int i = 0; i < 3; ++i) {
      std::lock_guard lock(mutex);
      numbers.push_back(i);
    }
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(numbers.size() == 6);
}
