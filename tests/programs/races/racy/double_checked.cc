// Expect: race
// Double-checked locking with a plain pointer.
#include <mutex>
#include <thread>

std::mutex mutex;
int storage;
int* instance;

int main() {
  auto get = [] {
    if (instance == nullptr) {  // race
      std::lock_guard lock(mutex);
      if (instance == nullptr) {
        storage = 42;
        instance = &storage;  // race
      }
    }
    return *instance;
  };
  std::thread first(get), second(get);
  first.join();
  second.join();
}
