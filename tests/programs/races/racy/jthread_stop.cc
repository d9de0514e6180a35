// Expect: race
// The reason is written after the stop was requested.
#include <stop_token>
#include <thread>

int reason;

int main() {
  int seen = 0;
  std::jthread worker([&](std::stop_token stop) {
    while (!stop.stop_requested()) std::this_thread::yield();
    seen = reason;  // race
  });
  worker.request_stop();
  reason = 42;  // race
}
