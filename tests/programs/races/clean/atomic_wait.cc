// Expect: clean
// atomic::wait and notify_all, and the same with an atomic_flag.
#include <atomic>
#include <cassert>
#include <thread>

std::atomic<int> ready;
std::atomic_flag second_ready;
int data, more;

int main() {
  auto consume = [] {
    ready.wait(0);
    assert(data == 42);
    second_ready.wait(false);
    assert(more == 1);
  };
  std::thread first(consume), second(consume);
  data = 42;
  ready = 1;
  ready.notify_all();
  more = 1;
  second_ready.test_and_set();
  second_ready.notify_all();
  first.join();
  second.join();
}
