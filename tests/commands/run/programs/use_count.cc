// The second thread's pointer replaces the first one's: the two use counts are not "value".
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

std::mutex m;
std::shared_ptr<int> cached;

std::shared_ptr<int> get() {
  {
    std::lock_guard lock(m);
    if (cached) return cached;
  }
  auto value = std::make_shared<int>(1);
  std::lock_guard lock(m);
  cached = value;
  return value;
}

int main() {
  std::shared_ptr<int> first, second;
  std::thread other([&] { first = get(); });
  second = get();
  other.join();
  assert(first == second);
}
