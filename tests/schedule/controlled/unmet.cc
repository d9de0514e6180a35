// If the thread has the mutex before main, it is never blocked: then the schedule cannot be met.
#include <snag/schedule.h>

#include <mutex>

int main() {
  std::mutex mutex;
  snag::Schedule schedule("[wants] -> gives");
  std::thread other([&] {
    SNAG_EVENT(wants);
    std::lock_guard lock(mutex);
  });
  {
    std::lock_guard lock(mutex);
    SNAG_EVENT(gives);
  }
  other.join();
}
