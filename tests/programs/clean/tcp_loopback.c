// Expect: clean
// TCP over the loopback interface between threads: listen, accept, connect, echo, orderly close.
#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;
static int listener;

static void receive_all(int fd, char* to, size_t size) {
  for (size_t got = 0; got < size;) {
    ssize_t more = recv(fd, to + got, size - got, 0);
    assert(more > 0);
    got += (size_t)more;
  }
}

static void* server(void* unused) {
  for (int i = 0; i < 2; ++i) {
    int fd = accept(listener, NULL, NULL);
    assert(fd >= 0);
    char text[5], byte;
    receive_all(fd, text, 5);
    assert(send(fd, text, 5, MSG_NOSIGNAL) == 5);
    assert(recv(fd, &byte, 1, 0) == 0);
    close(fd);
  }
  return unused;
}

static void* client(void* text) {
  int fd = socket(AF_INET, SOCK_STREAM, 0);
  assert(fd >= 0 && connect(fd, (struct sockaddr*)&address, sizeof address) == 0);
  assert(send(fd, text, 5, MSG_NOSIGNAL) == 5);
  char reply[5];
  receive_all(fd, reply, 5);
  assert(memcmp(reply, text, 5) == 0);
  assert(shutdown(fd, SHUT_WR) == 0);
  assert(recv(fd, reply, 1, 0) == 0);
  close(fd);
  return NULL;
}

int main(void) {
  listener = socket(AF_INET, SOCK_STREAM, 0);
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  assert(listener >= 0 && bind(listener, (struct sockaddr*)&address, size) == 0 &&
         listen(listener, 4) == 0);
  assert(getsockname(listener, (struct sockaddr*)&address, &size) == 0);
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, server, NULL);
  pthread_create(&threads[1], NULL, client, "hello");
  pthread_create(&threads[2], NULL, client, "world");
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
  close(listener);
}
