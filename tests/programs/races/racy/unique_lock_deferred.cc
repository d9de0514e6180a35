// Expect: race
// A unique_lock made with defer_lock, which is never locked.
#include <mutex>
#include <thread>

std::mutex mutex;
int counter;

int main() {
  auto body = [] {
    std::unique_lock lock(mutex, std::defer_lock);
    ++counter;  // race
  };
  std::thread first(body), second(body);
  first.join();
  second.join();
}
