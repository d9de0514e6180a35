// Expect: clean
// Two event loops with timeouts, woken by each other: nothing comes from outside, so no real time
// passes and all of it is under control.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

enum { kRounds = 3 };
static int events[2], pair[2];

static void* loop(void* argument) {
  int self = *(int*)argument, inner = epoll_create1(0), outer = epoll_create1(0), rounds = 0;
  struct epoll_event entry = {.events = EPOLLIN}, got;
  assert(epoll_ctl(inner, EPOLL_CTL_ADD, events[self], &entry) == 0);
  assert(epoll_ctl(outer, EPOLL_CTL_ADD, inner, &entry) == 0);
  assert(epoll_ctl(outer, EPOLL_CTL_ADD, pair[self], &entry) == 0);
  while (rounds < kRounds) {
    if (epoll_wait(outer, &got, 1, 1000) == 0) {
      ++rounds;
      eventfd_write(events[1 - self], 1);
      continue;
    }
    eventfd_t value;
    if (epoll_wait(inner, &got, 1, 0) == 1) eventfd_read(events[self], &value);
  }
  close(inner), close(outer);
  return 0;
}

int main(void) {
  int numbers[] = {0, 1};
  for (int i = 0; i < 2; ++i) events[i] = eventfd(0, 0);
  assert(socketpair(AF_UNIX, SOCK_DGRAM, 0, pair) == 0);
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, loop, &numbers[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return 0;
}
