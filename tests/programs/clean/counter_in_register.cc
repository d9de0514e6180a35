// Expect: clean
// Run: --max-steps 20000
// In half of the runs the loop takes more steps than a run may have. Nothing changes in memory but
// a flag that goes back and forth: the counter of the loop is in a register.
#include <atomic>
#include <thread>

std::atomic<int> flag, first;
std::atomic<bool> done;

int main() {
  std::thread other([] {
    int nobody = 0;
    first.compare_exchange_strong(nobody, 1);
    while (!done) {
      flag = 0;
      std::this_thread::yield();
    }
  });
  int nobody = 0;
  first.compare_exchange_strong(nobody, 2);
  for (int i = first == 1 ? 30'000 : 30; i > 0; --i) {
    flag = 1;
    std::this_thread::yield();
  }
  done = true;
  other.join();
}
