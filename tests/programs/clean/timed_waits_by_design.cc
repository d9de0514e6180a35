// Expect: clean
// Waits that end by their timeout with good reason, beside signals that nobody hears: the state is
// under the mutex, so whoever waits has seen what the signal told.
#include <cassert>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

using std::chrono::milliseconds;

std::mutex mutex;
std::condition_variable changed;
int posted = 0, handled = 0, flushed = 0;
bool stop = false;

// Handles what is there; ends when nothing has come for a while.
void IdleWorker() {
  std::unique_lock lock(mutex);
  for (;;) {
    while (handled < posted) ++handled;
    if (changed.wait_for(lock, milliseconds(30)) == std::cv_status::timeout) {
      if (handled == posted) return;
    }
  }
}

// Flushes now and then, until it is stopped.
void Flusher() {
  std::unique_lock lock(mutex);
  while (!changed.wait_for(lock, milliseconds(10), [] { return stop; })) ++flushed;
}

int main() {
  std::thread flusher(Flusher);
  for (int i = 0; i < 3; ++i) {
    std::thread worker(IdleWorker);
    {
      std::lock_guard lock(mutex);
      ++posted;
    }
    changed.notify_all();  // not under the mutex
    worker.join();
  }
  {
    std::lock_guard lock(mutex);
    stop = true;
  }
  changed.notify_all();
  flusher.join();
  assert(posted == 3);
}
