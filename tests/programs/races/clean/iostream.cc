// Expect: clean
// std::cout from several threads, without a lock.
#include <iostream>
#include <thread>

int main() {
  auto body = [](int self) {
    for (int i = 0; i < 2; ++i) std::cout << "thread " << self << ", line " << i << '\n';
  };
  std::thread first(body, 1), second(body, 2);
  first.join();
  second.join();
  std::cout << std::flush;
}
