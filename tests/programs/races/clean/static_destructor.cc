// Expect: clean
// A global object's destructor joins the thread that its constructor has made.
#include <atomic>
#include <thread>

struct Service {
  int ticks = 0;
  std::atomic<bool> stop{false};
  std::thread thread{[this] {
    ++ticks;
    while (!stop) std::this_thread::yield();
  }};
  ~Service() {
    stop = true;
    thread.join();
    if (ticks != 1) std::abort();
  }
} service;

int main() {}
