// kind: race
// Made when it is first used, by whoever comes first, and nobody looks whether somebody else does
// the same.
#include <mutex>
#include <thread>

#include "../work.h"

namespace {
struct Config {
  int limit = 7;
};
std::mutex lock;
Config* config = nullptr;
int made = 0;

int Limit() {
  if (kCorrect) lock.lock();
  if (config == nullptr) {
    config = new Config;
    made = made + 1;
  }
  const int limit = config->limit;
  if (kCorrect) lock.unlock();
  return limit;
}
}  // namespace

int main() {
  std::thread first([] {
    Work();
    Limit();
    Work();
  });
  std::thread second([] {
    Work();
    Limit();
    Work();
  });
  first.join();
  second.join();
  CHECK(made == 1);
}
