// The writers take the lock, the report does not: it may see half of an update.
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>

class Statistics {
 public:
  void Add(int bytes) {
    std::lock_guard lock(mutex_);
    ++requests_;
    bytes_ += bytes;
  }
  void Print() { std::printf("%d requests, %ld bytes\n", requests_, bytes_); }

 private:
  std::mutex mutex_;
  int requests_ = 0;
  long bytes_ = 0;
};

int main() {
  auto statistics = std::make_unique<Statistics>();
  std::thread worker([&] { statistics->Add(512); });
  std::thread reporter([&] { statistics->Print(); });
  worker.join();
  reporter.join();
}
