// Expect: race
// call_once makes the object, but readers that find the plain pointer set do not go through it.
#include <mutex>
#include <thread>

std::once_flag once;
int storage;
int* instance;

int main() {
  auto get = [] {
    if (instance == nullptr) {  // race
      std::call_once(once, [] {
        storage = 42;
        instance = &storage;  // race
      });
    }
    return *instance;
  };
  std::thread first(get), second(get);
  first.join();
  second.join();
}
