// Expect: clean
// flock on a file that each thread has opened by itself: whoever does not get it without blocking
// yields and tries again. The counter lies in the file.
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <cstdlib>
#include <thread>

int main() {
  char name[] = "/tmp/snag_flockXXXXXX";
  close(mkstemp(name));
  auto body = [&] {
    int fd = open(name, O_RDWR);
    assert(fd >= 0);
    while (flock(fd, LOCK_EX | LOCK_NB) != 0) {
      assert(errno == EWOULDBLOCK);
      std::this_thread::yield();
    }
    char count = 0;
    assert(pread(fd, &count, 1, 0) >= 0);
    ++count;
    assert(pwrite(fd, &count, 1, 0) == 1);
    close(fd);
  };
  std::thread a(body), b(body);
  a.join();
  b.join();
  char count = 0;
  int fd = open(name, O_RDONLY);
  assert(pread(fd, &count, 1, 0) == 1 && count == 2);
  close(fd);
  unlink(name);
}
