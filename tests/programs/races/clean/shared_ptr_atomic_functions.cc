// Expect: clean
// Flags: -Wno-deprecated-declarations
// One shared_ptr object for all threads, through the functions atomic_load and atomic_store.
#include <cassert>
#include <memory>
#include <thread>

std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  std::thread writer([] { std::atomic_store(&current, std::make_shared<int>(2)); });
  std::shared_ptr<int> seen = std::atomic_load(&current);
  assert(*seen == 1 || *seen == 2);
  writer.join();
}
