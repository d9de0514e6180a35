// never: atomicity
// met: exit
// A look between the two writes is harmless; only one before both is not.
#include <mutex>
#include <thread>

std::mutex lock;
int phase, got = -1;

void Set(int to) {
  std::lock_guard guard(lock);
  phase = to;
}

int main() {
  std::thread job([] {
    Set(1);
    Set(2);
  });
  std::thread reader([] {
    std::lock_guard guard(lock);
    got = phase;
  });
  job.join();
  reader.join();
  return got == 0 ? 1 : 0;
}
