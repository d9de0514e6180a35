// Expect: heap
// The last user deletes the object, and its mutex with it, while another one still wants it.
#include <memory>
#include <mutex>
#include <thread>

struct Counted {
  std::mutex mutex;
  int users = 2;
};

void leave(Counted* object) {
  object->mutex.lock();
  const bool last = --object->users == 0;
  object->mutex.unlock();
  if (last) delete object;
}

int main() {
  auto* object = new Counted;
  std::thread a(leave, object), b([object] {
    leave(object);
    std::lock_guard lock(object->mutex);  // one too many
  });
  a.join();
  b.join();
}
