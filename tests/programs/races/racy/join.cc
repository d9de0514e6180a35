// Expect: race
// The result is read before the join.
#include <thread>

int result;

int main() {
  std::thread worker([] { result = 42; });  // race
  volatile int seen = result;               // race
  (void)seen;
  worker.join();
}
