// Expect: race
// The worker counts the latch down before it writes its result.
#include <latch>
#include <thread>

std::latch done(1);
int result;

int main() {
  std::thread worker([] {
    done.count_down();
    result = 42;  // race
  });
  done.wait();
  volatile int seen = result;  // race
  (void)seen;
  worker.join();
}
