// Expect: clean
// notify_all_at_thread_exit: a detached thread's thread_local object has been destroyed, and has
// left its value, when the waiter goes on. The notification itself comes after the unlock, so the
// condition variable must never be destroyed.
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable& ended = *new std::condition_variable;
bool is_done;
int left_behind;

struct Farewell {
  int value = 0;
  ~Farewell() { left_behind = value; }
};
thread_local Farewell farewell;

int main() {
  std::thread([] {
    farewell.value = 7;
    std::unique_lock lock(mutex);
    is_done = true;
    std::notify_all_at_thread_exit(ended, std::move(lock));
  }).detach();
  std::unique_lock lock(mutex);
  ended.wait(lock, [] { return is_done; });
  assert(left_behind == 7);
}
