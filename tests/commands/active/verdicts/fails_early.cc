// watched: 10
// met: heap
// Every run ends by the use after free, and most of them before the race.
#include <atomic>
#include <thread>

std::atomic<int*> current = new int(5);
int after, sum;

int main() {
  std::thread writer([] { ++after; });
  int* old = current.exchange(nullptr);
  delete old;
  sum += *old;
  ++after;
  writer.join();
}
