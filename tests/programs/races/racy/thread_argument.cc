// Expect: race
// The loop variable is handed to the threads by reference.
#include <thread>

int main() {
  int index = 0;
  int seen[2] = {};
  std::thread first([&] { seen[0] = index; });  // race
  index = 1;                                    // race
  std::thread second([&] { seen[1] = index; });
  first.join();
  second.join();
}
