// Expect: race
// Every thread has its own shared_ptr, but all point to the same plain int.
#include <memory>
#include <thread>

int main() {
  auto number = std::make_shared<int>(0);
  std::shared_ptr<int> one = number, another = number;
  std::thread first([&] { ++*one; });       // race
  std::thread second([&] { ++*another; });  // race
  first.join();
  second.join();
}
