// kind: atomicity
// W-R-W: somebody looks while a value is only a step on the way.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
std::atomic<int> total = 10;
}  // namespace

int main() {
  std::thread updater([] {
    Work();
    if (kCorrect) {
      total = 12;
    } else {
      total = 0;
      total = 12;
    }
    Work();
  });
  std::thread reader([] {
    Work();
    const int seen = total;
    Work();
    CHECK(seen >= 10);
  });
  updater.join();
  reader.join();
}
