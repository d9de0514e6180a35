// Expect: deadlock
// A sender writes to the eventfd only if the receiver says that it sleeps: the receiver looks at
// its queue first, and says so only afterwards.
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <thread>

std::atomic<int> posts;
std::atomic<bool> sleeps;

int main() {
  const int wake = eventfd(0, EFD_NONBLOCK);
  std::thread sender([wake] {
    ++posts;
    const std::uint64_t one = 1;
    if (sleeps && write(wake, &one, sizeof one) != sizeof one) _exit(1);
  });
  while (posts == 0) {
    sleeps = true;
    pollfd entry{wake, POLLIN, 0};
    if (poll(&entry, 1, -1) != 1) return 1;
    sleeps = false;
  }
  sender.join();
  close(wake);
}
