// kind: deadlock
// A reader of one thing wants to write another one, and the other way round.
#include <mutex>
#include <shared_mutex>
#include <thread>

#include "../work.h"

namespace {
std::shared_mutex index, data;
}  // namespace

int main() {
  std::thread indexer([] {
    Work();
    std::shared_lock read(data);
    std::unique_lock write(index);
  });
  std::thread cleaner([] {
    Work();
    if (kCorrect) {
      std::unique_lock write(data);
      std::shared_lock read(index);
    } else {
      std::shared_lock read(index);
      std::unique_lock write(data);
    }
  });
  indexer.join();
  cleaner.join();
}
