// Expect: livelock
// A lost update on the number of finished workers: main then spins for a count that never comes.
#include <atomic>
#include <thread>

std::atomic<int> finished;

int main() {
  auto worker = [] { finished = finished + 1; };
  std::thread a(worker), b(worker);
  while (finished != 2) {
  }
  a.join();
  b.join();
}
