// Expect: clean
// A client tries again with a pause that doubles until the server is up, or gives up after six
// attempts and says so.
#include <atomic>
#include <cassert>
#include <chrono>
#include <thread>

int main() {
  std::atomic<bool> up = false;
  std::atomic<int> served = 0;
  std::thread server([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    up = true;
  });
  auto client = [&](int* attempts) {
    auto pause = std::chrono::milliseconds(1);
    while (*attempts < 6) {
      ++*attempts;
      if (up) {
        ++served;
        return;
      }
      std::this_thread::sleep_for(pause);
      pause *= 2;
    }
  };
  int first = 0, second = 0;
  std::thread a(client, &first), b(client, &second);
  server.join();
  a.join();
  b.join();
  assert(served == 2 || first == 6 || second == 6);
}
