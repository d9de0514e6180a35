// Expect: clean
// A lock file that is created with O_EXCL: who finds it tries again after a pause. The thread that
// has it updates a counter, in another file.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string>
#include <thread>

std::string folder;

void Update() {
  std::string lock = folder + "/lock", data = folder + "/data";
  int fd;
  while ((fd = open(lock.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600)) < 0) {
    assert(errno == EEXIST);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  close(fd);
  char count = 0;
  fd = open(data.c_str(), O_CREAT | O_RDWR, 0600);
  assert(fd >= 0 && pread(fd, &count, 1, 0) >= 0);
  ++count;
  assert(pwrite(fd, &count, 1, 0) == 1);
  close(fd);
  assert(unlink(lock.c_str()) == 0);
}

int main() {
  char name[] = "/tmp/snag_lockXXXXXX";
  assert(mkdtemp(name) != nullptr);
  folder = name;
  std::thread a(Update), b(Update), c(Update);
  a.join();
  b.join();
  c.join();
  char count = 0;
  int fd = open((folder + "/data").c_str(), O_RDONLY);
  assert(read(fd, &count, 1) == 1 && count == 3);
  close(fd);
  unlink((folder + "/data").c_str());
  rmdir(name);
}
