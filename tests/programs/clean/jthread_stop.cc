// Expect: clean
// jthread, stop_token polling, stop_callback: runs exactly once, in the requester or in the
// registering thread.
#include <atomic>
#include <cassert>
#include <stop_token>
#include <thread>

std::stop_source first, source;

int main() {
  std::atomic<int> calls = 0;
  {
    std::jthread poller([stop = first.get_token()] {
      while (!stop.stop_requested()) std::this_thread::yield();
    });
    std::jthread registrar([&, stop = first.get_token()] {
      std::stop_callback callback(stop, [&] { ++calls; });
      while (!stop.stop_requested()) std::this_thread::yield();
    });  // the destructor of callback waits for a call in progress
    std::jthread requester([] { first.request_stop(); });
    registrar.join();
    assert(calls == 1);
  }
  {
    std::jthread own([](std::stop_token stop) {
      while (!stop.stop_requested()) std::this_thread::yield();
    });
  }  // requests the stop and joins

  std::atomic<int> won = 0, fired = 0;
  std::stop_callback callback(source.get_token(), [&] { ++fired; });
  {
    auto request = [&] { won += source.request_stop(); };
    std::jthread a(request), b(request);
  }
  assert(won == 1 && fired == 1);
  std::stop_callback late(source.get_token(), [&] { ++fired; });
  assert(fired == 2);
}
