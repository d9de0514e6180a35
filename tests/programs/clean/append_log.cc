// Expect: clean
// Threads append lines to one log, opened with O_APPEND by each of them: no line is lost or torn,
// and those of a thread keep their order.
#include <fcntl.h>
#include <unistd.h>

#include <cassert>
#include <cstdlib>
#include <string>
#include <thread>

int main() {
  char name[] = "/tmp/snag_logXXXXXX";
  close(mkstemp(name));
  auto body = [&](char id) {
    int fd = open(name, O_WRONLY | O_APPEND);
    assert(fd >= 0);
    for (char i = '0'; i < '3'; ++i) {
      char line[] = {id, i, '\n'};
      assert(write(fd, line, 3) == 3);
    }
    close(fd);
  };
  std::thread a(body, 'a'), b(body, 'b');
  a.join();
  b.join();
  char text[32];
  int fd = open(name, O_RDONLY);
  assert(read(fd, text, sizeof text) == 18);
  close(fd);
  unlink(name);
  char next[] = {'0', '0'};
  for (int i = 0; i < 18; i += 3) {
    assert((text[i] == 'a' || text[i] == 'b') && text[i + 2] == '\n');
    assert(text[i + 1] == next[text[i] - 'a']++);
  }
}
