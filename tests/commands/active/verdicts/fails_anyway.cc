// never: atomicity
// confirmed: race
// harmful: no
// met: exit
// Every run fails, whatever the threads do.
#include <mutex>
#include <thread>

std::mutex lock;
int value, first, second, hint;

int main() {
  std::thread writer([] {
    hint = 1;
    std::lock_guard guard(lock);
    value = 1;
  });
  std::thread reader([] {
    hint = 2;
    {
      std::lock_guard guard(lock);
      first = value;
    }
    std::lock_guard guard(lock);
    second = value;
  });
  writer.join();
  reader.join();
  return 3;
}
