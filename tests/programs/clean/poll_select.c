// Expect: clean
// poll, ppoll, select and pselect on pipes that another thread writes; a timeout is as good as the
// event.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

static int ends[2], ack[2];

// Waits in one of four ways until there is something to read; timed: may return 0.
static int wait_readable(int way, int timed) {
  struct pollfd polled = {ends[0], POLLIN, 0};
  struct timespec short_time = {0, 2000000};
  struct timeval short_value = {0, 2000};
  fd_set set;
  FD_ZERO(&set);
  FD_SET(ends[0], &set);
  if (way == 0) return poll(&polled, 1, timed ? 2 : -1);
  if (way == 1) return ppoll(&polled, 1, timed ? &short_time : NULL, NULL);
  if (way == 2) return select(ends[0] + 1, &set, NULL, NULL, timed ? &short_value : NULL);
  return pselect(ends[0] + 1, &set, NULL, NULL, timed ? &short_time : NULL, NULL);
}

static void* reader(void* unused) {
  for (int i = 0; i < 8; ++i) {
    char byte;
    int ready = wait_readable(i % 4, i >= 4);
    assert(ready == 1 || (ready == 0 && i >= 4));
    if (ready == 0) assert(wait_readable(i % 4, 0) == 1);
    assert(read(ends[0], &byte, 1) == 1 && byte == i);
    assert(write(ack[1], &byte, 1) == 1);
  }
  return unused;
}

int main(void) {
  assert(pipe(ends) == 0 && pipe(ack) == 0);
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  for (char i = 0; i < 8; ++i) {
    char byte;
    assert(write(ends[1], &i, 1) == 1);
    assert(read(ack[0], &byte, 1) == 1 && byte == i);
  }
  pthread_join(thread, NULL);

  struct timespec before, after;  // nobody writes any more: only the clock can end these
  clock_gettime(CLOCK_MONOTONIC, &before);
  for (int way = 0; way < 4; ++way) assert(wait_readable(way, 1) == 0);
  clock_gettime(CLOCK_MONOTONIC, &after);
  long passed = (after.tv_sec - before.tv_sec) * 1000000000 + after.tv_nsec - before.tv_nsec;
  assert(passed >= 8000000);
  for (int i = 0; i < 2; ++i) {
    close(ends[i]);
    close(ack[i]);
  }
}
