// Expect: clean
// The loop variable is handed to the threads by value.
#include <cassert>
#include <thread>
#include <vector>

int main() {
  int seen[3] = {};
  std::vector<std::thread> threads;
  for (int index = 0; index < 3; ++index)
    threads.emplace_back([&seen](int mine) { seen[mine] = mine; }, index);
  for (std::thread& thread : threads) thread.join();
  assert(seen[1] == 1 && seen[2] == 2);
}
