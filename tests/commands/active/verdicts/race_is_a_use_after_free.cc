// confirmed: race frees
// harmful: yes
// consequences: uses memory
//
// One thread gives memory back while another one is on its way through it.
#include <cstdio>
#include <cstdlib>
#include <thread>

struct Session {
  long number;
  char name[40];
  int state;
};

Session* session;
long seen = 0;

void Close() { std::free(session); }

void Look() {
  seen += session->number;
  seen += session->name[3];
  seen += session->state;
}

int main() {
  session = static_cast<Session*>(std::calloc(1, sizeof(Session)));
  std::thread looker(Look);
  std::thread closer(Close);
  looker.join();
  closer.join();
  std::printf("%ld\n", seen);
}
