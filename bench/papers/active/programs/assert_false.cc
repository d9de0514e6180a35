// kind: assertion
// assert(false) in a default case: what it depends on stands in the switch.
#include <atomic>
#include <cassert>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> state = 0;
int idle = 0, busy = 0;
}  // namespace

int main() {
  std::thread machine([] {
    Work();
    state = 1;
    Work();
    if (!kCorrect) state = 2;  // a passing state that nobody was told of
    state = 0;
    Work();
  });
  std::thread observer([] {
    Work();
    switch (state.load()) {
      case 0:
        ++idle;
        break;
      case 1:
        ++busy;
        break;
      default:
        assert(false);
    }
    Work();
  });
  machine.join();
  observer.join();
}
