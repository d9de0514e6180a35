// Expect: lost-wakeup
// Stop() sets the flag without the lock: between the worker's test of it and its sleep.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

class Worker {
 public:
  Worker() : thread_([this] { Run(); }) {}
  ~Worker() {
    stop_ = true;
    cv_.notify_all();
    thread_.join();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    cv_.wait(lock, [this] { return stop_.load(); });
  }
  std::mutex mutex_;
  std::condition_variable cv_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

int main() { Worker worker; }
