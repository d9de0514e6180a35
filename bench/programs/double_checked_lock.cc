// double_checked_lock: the first look at the pointer is without the lock, and the pointer is set
// before the object is initialised (in the wild the compiler or the processor reorders the two;
// here the program says so).
// Fails: the creator sets the pointer and is preempted; the other thread sees it and reads an
// uninitialised object.
// Correct: initialise first, then set a pointer that is atomic.
#include <atomic>
#include <mutex>
#include <thread>
#include <type_traits>

#include "check.h"

namespace {

struct Config {
  volatile int value = 0;
};

Config config;  // static, so that the object outlives everybody
std::conditional_t<kCorrect, std::atomic<Config*>, Config* volatile> instance = nullptr;
std::mutex mutex;

Config* Instance() {
  if (instance == nullptr) {
    std::lock_guard guard(mutex);
    if (instance == nullptr) {
      if (kCorrect) config.value = 42;
      instance = &config;
      if (!kCorrect) config.value = 42;
    }
  }
  return instance;
}

void Use() { CHECK(Instance()->value == 42); }

}  // namespace

int main() {
  std::thread first(Use);
  std::thread second(Use);
  first.join();
  second.join();
}
