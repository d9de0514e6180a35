// Nothing is wrong here; but does a test of it show that? snag cover tells which interleavings the
// test has tried (docs/guide/cover.md).
#include <cassert>
#include <mutex>
#include <thread>

class Inbox {
 public:
  void put(int letters) {
    std::lock_guard lock(mutex_);
    count_ += letters;
  }
  int take() {
    std::lock_guard lock(mutex_);
    const int all = count_;
    count_ = 0;
    return all;
  }
  void clear() { count_ = 0; }

 private:
  std::mutex mutex_;
  int count_ = 0;
};

int main() {
  Inbox inbox;
  std::thread postman([&] {
    inbox.put(1);
    inbox.put(2);
  });
  int taken = inbox.take();
  postman.join();
  taken += inbox.take();
  assert(taken == 3);
}
