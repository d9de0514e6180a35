// Double-checked initialisation gone wrong: the pointer is published before the object is complete.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Config {
  int threads = 0;
};

std::mutex mutex;
std::atomic<Config*> instance = nullptr;

Config* Get() {
  if (instance == nullptr) {
    std::lock_guard lock(mutex);
    if (instance == nullptr) {
      instance = new Config;  // others can see it from here on
      instance.load()->threads = 4;
    }
  }
  return instance;
}

int main() {
  auto use = [] { assert(Get()->threads == 4); };
  std::thread a(use), b(use);
  a.join();
  b.join();
}
