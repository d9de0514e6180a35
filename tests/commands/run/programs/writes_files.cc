// Writes to the files that the arguments name.
#include <cassert>
#include <cstdio>
#include <thread>

int main(int argc, char** argv) {
  std::thread other([] {});
  other.join();
  for (int i = 1; i < argc; ++i) {
    std::FILE* file = std::fopen(argv[i], "a");
    assert(file != nullptr);
    std::fputs("more", file);
    std::fclose(file);
  }
}
