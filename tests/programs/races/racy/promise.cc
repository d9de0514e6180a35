// Expect: race
// The promise is fulfilled before the data are complete.
#include <future>
#include <thread>

int data;

int main() {
  std::promise<void> ready;
  std::thread producer([&] {
    ready.set_value();
    data = 42;  // race
  });
  ready.get_future().wait();
  volatile int seen = data;  // race
  (void)seen;
  producer.join();
}
