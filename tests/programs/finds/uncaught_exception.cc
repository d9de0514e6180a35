// Expect: exception
// A consumer calls at() on a vector that the producer has not filled yet: nobody catches
// out_of_range.
#include <mutex>
#include <thread>
#include <vector>

std::mutex mutex;
std::vector<int> items;

int main() {
  std::thread producer([] {
    std::lock_guard lock(mutex);
    items.push_back(1);
  });
  std::thread consumer([] {
    std::lock_guard lock(mutex);
    items.at(0) = 2;
  });
  producer.join();
  consumer.join();
}
