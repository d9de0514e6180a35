// Expect: clean
// Detached threads: by detach(), by attribute and by pthread_detach of itself.
#include <pthread.h>

#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;
int done;

void Finish() {
  std::lock_guard lock(mutex);
  ++done;
  cv.notify_one();
}

int main() {
  std::thread([] { Finish(); }).detach();

  pthread_attr_t attr;
  pthread_attr_init(&attr);
  assert(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
  pthread_t thread;
  auto finish = [](void*) -> void* {
    Finish();
    return nullptr;
  };
  assert(pthread_create(&thread, &attr, finish, nullptr) == 0);
  pthread_attr_destroy(&attr);

  auto detaches_itself = [](void*) -> void* {
    assert(pthread_detach(pthread_self()) == 0);
    Finish();
    return nullptr;
  };
  assert(pthread_create(&thread, nullptr, detaches_itself, nullptr) == 0);

  std::unique_lock lock(mutex);
  cv.wait(lock, [] { return done == 3; });
}
