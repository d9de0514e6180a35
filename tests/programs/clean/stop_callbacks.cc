// Expect: clean
// Callbacks of a stop_token that are made and destroyed while another thread asks to stop: each is
// called at most once, and never after its destructor.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

int main() {
  std::stop_source source;
  std::atomic<int> called = 0;
  std::jthread worker([&] {
    for (int i = 0; i < 2; ++i) {
      std::atomic<int> mine = 0;
      {
        std::stop_callback callback(source.get_token(), [&] { ++mine, ++called; });
        std::this_thread::yield();
      }
      assert(mine <= 1);
    }
  });
  std::jthread stopper([&] { source.request_stop(); });
  worker.join();
  stopper.join();
  assert(source.stop_requested() && called <= 2);
}
