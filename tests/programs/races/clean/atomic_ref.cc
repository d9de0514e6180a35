// Expect: clean
// A plain variable that is used through atomic_ref while there are threads, and plainly before and
// after.
#include <atomic>
#include <cassert>
#include <thread>

int main() {
  int counter = 0;
  counter = 5;
  auto body = [&] { std::atomic_ref(counter).fetch_add(1, std::memory_order_relaxed); };
  std::thread first(body), second(body);
  first.join();
  second.join();
  assert(counter == 7);
}
