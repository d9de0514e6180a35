// kind: race
// No lock, but a flag hands the data over.
#include <atomic>
#include <thread>

#include "../work.h"

namespace {
int data = 0;
std::atomic<bool> is_ready = false;
}  // namespace

int main() {
  std::thread producer([] {
    Work();
    data = 42;
    is_ready = true;
    Work();
  });
  std::thread consumer([] {
    while (!is_ready) std::this_thread::yield();
    CHECK(data == 42);
  });
  producer.join();
  consumer.join();
}
