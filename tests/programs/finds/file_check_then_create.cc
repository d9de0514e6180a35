// Expect: assert
// Two threads look whether a file is there, and make it if it is not: both may see that it is not.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

std::string path;

void MakeOnce() {
  if (access(path.c_str(), F_OK) == 0) return;
  const int fd = open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY, 0600);
  assert(fd >= 0);
  close(fd);
}

int main() {
  char name[] = "/tmp/snag_onceXXXXXX";
  assert(mkdtemp(name) != nullptr);
  path = std::string(name) + "/made";
  std::thread a(MakeOnce), b(MakeOnce);
  a.join();
  b.join();
  unlink(path.c_str());
  rmdir(name);
}
