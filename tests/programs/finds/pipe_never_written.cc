// Expect: deadlock
// The writer skips its message when it finds the flag set; the reader waits in read() forever.
// Nobody else holds an end of the pipe: that is a deadlock at once, not a hang after a while.
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <thread>

std::atomic<bool> skip;
int ends[2];

int main() {
  if (pipe(ends) != 0) return 1;
  std::thread setter([] { skip = true; });
  std::thread writer([] {
    if (!skip && write(ends[1], "x", 1) != 1) std::abort();
  });
  char byte;
  if (read(ends[0], &byte, 1) != 1) return 1;
  setter.join();
  writer.join();
}
