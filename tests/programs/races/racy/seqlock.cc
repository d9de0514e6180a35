// Expect: race
// A sequence lock over plain data: the reader would throw the torn value away, but has read it.
#include <atomic>
#include <thread>

std::atomic<unsigned> sequence;
int left, right;

int main() {
  std::thread writer([] {
    sequence.fetch_add(1);
    left = 1;   // race
    right = 1;  // race
    sequence.fetch_add(1);
  });
  unsigned before, after;
  int sum;
  do {
    before = sequence.load();
    sum = left + right;  // race
    after = sequence.load();
  } while (before != after || before % 2 != 0);
  writer.join();
  return sum == 1;
}
