// A worker that only its timeout ends if the flag is set after it has read it. Nothing is global,
// so that only the source has names.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

class Pool {
 public:
  Pool() : worker_([this] { Work(); }) {}
  ~Pool() {
    stop_ = true;
    wake_.notify_all();
    worker_.join();
  }

 private:
  void Work() {
    std::unique_lock lock(mutex_);
    while (!stop_) wake_.wait_for(lock, std::chrono::seconds(30));
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::atomic<bool> stop_{false};
  std::thread worker_;
};

int main() { Pool pool; }
