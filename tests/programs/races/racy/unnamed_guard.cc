// Expect: race
// A guard without a name lives only until the end of its own statement.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

int main() {
  auto body = [] {
    std::lock_guard<std::mutex>{mutex};
    ++counter;  // race
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
