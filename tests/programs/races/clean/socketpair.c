// Expect: clean
// Plain C: a message over a socket pair, and an eventfd as the answer.
#include <pthread.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], answered;
static int data;

static void* work(void* unused) {
  char byte;
  uint64_t one = 1;
  if (recv(ends[1], &byte, 1, 0) != 1) return 0;
  data *= 2;
  if (write(answered, &one, sizeof one) != sizeof one) return 0;
  return unused;
}

int main(void) {
  pthread_t worker;
  uint64_t count;
  answered = eventfd(0, 0);
  if (answered < 0 || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&worker, 0, work, 0);
  data = 21;
  if (send(ends[0], "x", 1, 0) != 1) return 1;
  if (read(answered, &count, sizeof count) != sizeof count) return 1;
  int seen = data;
  pthread_join(worker, 0);
  return seen != 42;
}
