// Prints its arguments, one on each line; two threads share a counter. "FOREVER" as the first
// argument: then it computes without end. "FAILS": it exits with status 9. "PRINTS": it prints more
// than Snag keeps, and ends like a test framework that ran no test.
#include <atomic>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>

std::atomic<int> value;

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) std::puts(argv[i]);
  std::thread a([] { ++value; }), b([] { ++value; });
  a.join();
  b.join();
  if (argc > 1 && std::strcmp(argv[1], "FAILS") == 0) return 9;
  if (argc > 1 && std::strcmp(argv[1], "PRINTS") == 0) {
    const std::string line(1 << 16, 'x');
    for (int i = 0; i < 2048; ++i) std::puts(line.c_str());
    std::puts("No tests ran");
  }
  if (argc > 1 && std::strcmp(argv[1], "FOREVER") == 0) {
    for (volatile unsigned i = 0;; i = i + 1) {
    }
  }
}
