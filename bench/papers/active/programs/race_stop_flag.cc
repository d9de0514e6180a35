// kind: race
// A plain flag tells a thread to stop.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
bool stop_plain = false;
std::atomic<bool> stop_atomic = false;
int rounds = 0;
}  // namespace

int main() {
  std::thread worker([] {
    for (int i = 0; i < 6; ++i) {
      Work(4);
      if (kCorrect ? stop_atomic.load() : stop_plain) break;
      ++rounds;
    }
  });
  std::thread controller([] {
    Work(20);
    if (kCorrect)
      stop_atomic = true;
    else
      stop_plain = true;
    Work();
  });
  worker.join();
  controller.join();
}
