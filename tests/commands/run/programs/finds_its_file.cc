// Leaves a file behind, and fails in each run that finds it. Another file is overwritten by each
// run, which does not depend on what it was.
#include <cassert>
#include <cstdio>
#include <thread>

int main() {
  std::thread other([] {});
  other.join();
  std::fclose(std::fopen("log.txt", "w"));
  std::FILE* made = std::fopen("left.txt", "wx");
  assert(made != nullptr);
  std::fclose(made);
}
