// Expect: race
// The same shared_ptr object is swapped by one thread and read by another.
#include <memory>
#include <thread>

std::shared_ptr<int> current = std::make_shared<int>(1);

int main() {
  std::shared_ptr<int> other = std::make_shared<int>(2);
  std::thread writer([&] { current.swap(other); });  // race
  volatile bool seen = current.get() == nullptr;     // race
  (void)seen;
  writer.join();
}
