// Renames a folder that was there before the run.
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <thread>

int main() {
  std::thread other([] {});
  const int result = std::rename("data", "moved");
  other.join();
  assert(result == 0 || errno == EXDEV);
  if (result != 0) return 0;
  std::FILE* file = std::fopen("moved/deep/gone.txt", "r");
  assert(file != nullptr);
  std::fclose(file);
}
