// Two variables in the same two lines: `published` is handed over by the atomic `ok`, `stats`
// races. A folder that is named becomes a file.
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <fstream>
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

int main(int argc, char** argv) {
  if (argc > 1) {
    std::filesystem::remove_all(argv[1]);
    std::ofstream(argv[1]) << "no folder";
  }
  std::thread producer(Produce), consumer(Consume);
  producer.join();
  consumer.join();
  std::printf("%d\n", result > 0);
}
