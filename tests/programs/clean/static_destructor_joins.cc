// Expect: clean
// A static object whose constructor starts a thread before main and whose destructor stops and
// joins it after main.
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>

struct Outcome {
  bool finished = false;
  ~Outcome() {
    if (!finished) _exit(1);
  }
} outcome;

class Background {
 public:
  Background() : thread_([this] { Work(); }) {}
  ~Background() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    cv_.notify_one();
    thread_.join();
  }
  void Poke() {
    std::lock_guard lock(mutex_);
    ++pokes_;
    cv_.notify_one();
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      cv_.wait(lock);
      pokes_ = 0;
    }
    outcome.finished = true;
  }
  std::mutex mutex_;
  std::condition_variable cv_;
  bool stop_ = false;
  int pokes_ = 0;
  std::thread thread_;  // last: starts when the rest is there
} background;

int main() {
  background.Poke();
  background.Poke();
}
