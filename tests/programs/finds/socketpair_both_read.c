// Expect: deadlock
// Two peers over a socket pair: one writes, the other one reads. The turn is changed after the
// second one has begun: if both believe that it is the other's turn, both read.
#include <pthread.h>
#include <stdatomic.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];
static atomic_int turn;

static void* peer(void* number) {
  const int me = *(int*)number;
  char byte = 'x';
  if (turn == me) {
    turn = 1 - me;
    if (write(ends[me], &byte, 1) != 1) return 0;
  } else if (read(ends[me], &byte, 1) != 1) {
    return 0;
  }
  return number;
}

int main(void) {
  static int zero = 0, one = 1;
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&thread, 0, peer, &one);
  turn = 1;
  peer(&zero);
  pthread_join(thread, 0);
  return 0;
}
