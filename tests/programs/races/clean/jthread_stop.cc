// Expect: clean
// request_stop publishes the reason; a stop_callback sees it, too. The destructor joins.
#include <cassert>
#include <stop_token>
#include <thread>

int reason, result;

int main() {
  {
    std::jthread worker([](std::stop_token stop) {
      int called = 0;
      std::stop_callback callback(stop, [&] { called = reason; });
      while (!stop.stop_requested()) std::this_thread::yield();
      result = reason;
    });
    reason = 42;
    worker.request_stop();
  }
  assert(result == 42);
}
