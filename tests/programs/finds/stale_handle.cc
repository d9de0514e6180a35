// Expect: assert
// A reader keeps a raw pointer from a registry; the owner retires the object before the reader
// looks at it.
#include <atomic>
#include <cassert>
#include <mutex>
#include <thread>

struct Object {
  std::atomic<bool> alive = true;
} object;

std::mutex mutex;
Object* registered = &object;

Object* Find() {
  std::lock_guard lock(mutex);
  return registered;
}

int main() {
  std::thread reader([] {
    if (Object* found = Find()) assert(found->alive);
  });
  {
    std::lock_guard lock(mutex);
    registered = nullptr;
  }
  object.alive = false;
  reader.join();
}
