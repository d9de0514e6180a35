// Expect: lost-wakeup | deadlock
// Run: --runs 20000
// A defect of libstdc++ 12's counting_semaphore, not of this program: acquire() reads 1, fails
// while the other thread holds the unit, and then sleeps "until the value is no longer 1", just
// after the release.
#include <atomic>
#include <semaphore>
#include <thread>

std::counting_semaphore<4> unit(1);
std::atomic<int> work;

int main() {
  auto body = [] {
    unit.acquire();
    for (int i = 0; i < 8; ++i) ++work;
    unit.release();
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
}
