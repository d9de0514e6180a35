// Expect: clean
// Locks on a file, taken by threads through descriptors of their own: they wait for each other.
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static char path[] = "snag_record_lock_XXXXXX";
static int inside;

static void* locks(void* unused) {
  int file = open(path, O_RDWR);
  assert(file >= 0);
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  assert(fcntl(file, F_OFD_SETLKW, &lock) == 0);
  assert(++inside == 1);
  sched_yield();
  assert(--inside == 0);
  lock.l_type = F_UNLCK;
  assert(fcntl(file, F_OFD_SETLK, &lock) == 0);
  close(file);
  return unused;
}

int main(void) {
  int file = mkstemp(path);
  assert(file >= 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, locks, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  close(file);
  unlink(path);
}
