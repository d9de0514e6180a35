// Expect: race
// A worker writes to a variable on main's stack; main reads it too early.
#include <thread>

int main() {
  int result = 0;
  std::thread worker([&] { result = 42; });  // race
  volatile int seen = result;                // race
  (void)seen;
  worker.join();
}
