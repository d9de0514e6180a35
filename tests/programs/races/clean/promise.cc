// Expect: clean
// A promise of a value, and one of nothing that publishes other data.
#include <cassert>
#include <future>
#include <thread>

int data;

int main() {
  std::promise<int> value;
  std::promise<void> ready;
  std::future<int> future_value = value.get_future();
  std::future<void> future_ready = ready.get_future();
  std::thread producer([&] {
    value.set_value(21);
    data = 21;
    ready.set_value();
  });
  int first = future_value.get();
  future_ready.wait();
  assert(first + data == 42);
  producer.join();
}
