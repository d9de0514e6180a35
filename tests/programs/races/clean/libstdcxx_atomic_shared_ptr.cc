// Expect: clean
// A correct program, and a bug (left out of the reports) of the C++ library of GCC 12:
// atomic<shared_ptr>::load gives its internal lock back with a relaxed operation, so that its read
// of the pointer is not ordered before the write of a later store.
#include <atomic>
#include <memory>
#include <thread>

std::atomic<std::shared_ptr<int>> current = std::make_shared<int>(1);

int main() {
  std::thread writer([] { current.store(std::make_shared<int>(2)); });
  std::shared_ptr<int> seen = current.load();
  writer.join();
  return *seen > 2;
}
