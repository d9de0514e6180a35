// Expect: clean
// The constructor of a static object starts a thread before main, and its destructor ends it after
// main, before the mutex and the condition variable are destroyed.
#include <atomic>
#include <cassert>
#include <condition_variable>
#include <mutex>
#include <thread>

std::mutex mutex;
std::condition_variable cv;
int jobs, done;
bool closed;
std::thread* worker;

struct Opener {
  Opener() {
    worker = new std::thread([] {
      std::unique_lock lock(mutex);
      for (;;) {
        cv.wait(lock, [] { return jobs > 0 || closed; });
        if (jobs == 0) return;
        --jobs;
        ++done;
      }
    });
  }
  ~Opener() {
    {
      std::lock_guard lock(mutex);
      closed = true;
    }
    cv.notify_all();
    worker->join();
    assert(done == 2);
    delete worker;
  }
} opener;

int main() {
  for (int i = 0; i < 2; ++i) {
    std::lock_guard lock(mutex);
    ++jobs;
    cv.notify_one();
  }
}
