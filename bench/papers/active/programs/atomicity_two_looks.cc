// kind: atomicity
// R-W-R: what was tested is not what is used.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
int target = 5;
std::atomic<int*> current = &target;
}  // namespace

int main() {
  std::thread user([] {
    Work();
    if (kCorrect) {
      if (int* mine = current.load(); mine != nullptr) *mine += 1;
    } else if (current.load() != nullptr) {
      *current.load() += 1;
    }
    Work();
  });
  std::thread closer([] {
    Work();
    current = nullptr;
    Work();
  });
  user.join();
  closer.join();
}
