// Expect: deadlock
// Each side answers only after it was asked, and the one that should ask first may see that the
// other has already begun. One waits by poll with a pipe that is never used, the other by select.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <unistd.h>

static atomic_int begun;
static int sides[2], unused_pipe[2];

static void put(int side) {
  if (write(side, "x", 1) != 1) abort();
}

static void get(int side) {
  char byte;
  if (read(side, &byte, 1) != 1) abort();
}

static void* first(void* unused) {
  if (atomic_exchange(&begun, 1) == 0) put(sides[0]);
  struct pollfd entries[] = {{sides[0], POLLIN, 0}, {unused_pipe[0], POLLIN, 0}, {-1, POLLIN, 0}};
  if (poll(entries, 3, -1) != 1) abort();
  get(sides[0]);
  return unused;
}

static void* second(void* unused) {
  atomic_store(&begun, 1);
  fd_set read_set;
  FD_ZERO(&read_set);
  FD_SET(sides[1], &read_set);
  if (select(sides[1] + 1, &read_set, NULL, NULL, NULL) != 1) abort();
  get(sides[1]);
  put(sides[1]);
  return unused;
}

int main(void) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, sides) != 0 || pipe(unused_pipe) != 0) return 1;
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, first, NULL);
  pthread_create(&threads[1], NULL, second, NULL);
  pthread_join(threads[0], NULL);
  pthread_join(threads[1], NULL);
  return 0;
}
