// Expect: clean
// A thread waits for a file to appear, and then reads what the thread that made it has left in
// memory, without another synchronisation: the file system orders the two.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

int data;

int main() {
  char name[] = "/tmp/snag_awaitedXXXXXX";
  assert(mkdtemp(name) != nullptr);
  const std::string path = std::string(name) + "/ready", temporary = path + ".new";
  std::thread reader([&] {
    while (access(path.c_str(), F_OK) != 0) {
    }
    assert(data == 1);
  });
  data = 1;
  close(open(temporary.c_str(), O_CREAT | O_WRONLY, 0600));
  assert(rename(temporary.c_str(), path.c_str()) == 0);
  reader.join();
  unlink(path.c_str());
  rmdir(name);
}
