// Two variables in the same two lines: `published` is handed over by the atomic `ok`, `stats` races.
#include <atomic>
#include <cstdio>
#include <thread>

int published, stats, result;
std::atomic<bool> ok{false};

void Produce() {
  published = 3, ok = true, stats = 1;  // written
}

void Consume() {
  while (!ok) std::this_thread::yield();
  result = published + stats;  // read
}

int main() {
  std::thread producer(Produce), consumer(Consume);
  producer.join();
  consumer.join();
  std::printf("%d\n", result > 0);
}
