// Expect: clean
// Readers share, the writer is alone.
#include <cassert>
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex mutex;
int left, right;

int main() {
  auto read = [] {
    for (int i = 0; i < 2; ++i) {
      std::shared_lock lock(mutex);
      assert(left == right);
    }
  };
  std::thread writer([] {
    for (int i = 0; i < 2; ++i) {
      std::unique_lock lock(mutex);
      ++left;
      ++right;
    }
  });
  std::thread first(read), second(read);
  writer.join();
  first.join();
  second.join();
}
