// never: atomicity
// met: exit
// The program fails where the reader is before the writer. What is predicted, the writer between
// the two reads, makes it succeed.
#include <mutex>
#include <thread>

std::mutex lock;
int value, first, second;

void Read(int& to) {
  std::lock_guard guard(lock);
  to = value;
}

int main() {
  std::thread writer([] {
    std::lock_guard guard(lock);
    value = 1;
  });
  std::thread reader([] {
    Read(first);
    Read(second);
  });
  writer.join();
  reader.join();
  return second == 1 ? 0 : 3;
}
