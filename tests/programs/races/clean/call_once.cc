// Expect: clean
// call_once, by everybody who uses the object.
#include <cassert>
#include <mutex>
#include <thread>

std::once_flag once;
int storage;
int* instance;

int main() {
  auto use = [] {
    std::call_once(once, [] {
      storage = 42;
      instance = &storage;
    });
    assert(*instance == 42);
  };
  std::thread first(use), second(use), third(use);
  first.join();
  second.join();
  third.join();
}
