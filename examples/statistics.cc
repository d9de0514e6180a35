// The worker takes the lock, the reporter does not.
#include <cstdio>
#include <mutex>
#include <thread>

class Statistics {
 public:
  void Count() {
    std::lock_guard lock(mutex_);
    ++requests_;
  }
  int requests() const { return requests_; }

 private:
  std::mutex mutex_;
  int requests_ = 0;
};

int main() {
  auto* statistics = new Statistics;
  std::thread worker([=] { statistics->Count(); });
  std::thread reporter([=] { std::printf("%d requests\n", statistics->requests()); });
  worker.join();
  reporter.join();
  delete statistics;
}
