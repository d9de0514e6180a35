// confirmed: race
// confirmed: deadlock
// harmful: no
// The deadlock has nothing to do with the race.
#include <mutex>
#include <shared_mutex>
#include <thread>

std::shared_mutex a;
std::mutex b;
int value, hits;

int main() {
  std::thread one([] {
    std::shared_lock first(a);
    ++hits;
    std::lock_guard second(b);
    ++value;
  });
  std::thread other([] {
    std::lock_guard first(b);
    std::unique_lock second(a);
    ++value;
  });
  std::thread third([] {
    std::shared_lock first(a);
    ++hits;
  });
  one.join();
  other.join();
  third.join();
}
