// Memory is given back by one thread while another one reads it, in the middle of the block.
#include <cstdio>
#include <thread>

struct Session {
  long number = 7;
  char name[40] = {};
  int state = 1;
};

Session* session = new Session;
int seen = 0;

void Close() { delete session; }

void Look() { seen = session->state; }

int main() {
  std::thread looker(Look);
  std::thread closer(Close);
  looker.join();
  closer.join();
  std::printf("%d\n", seen);
}
