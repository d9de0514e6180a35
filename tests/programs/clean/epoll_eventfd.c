// Expect: clean
// epoll over an eventfd counter, an eventfd semaphore and a pipe, served by one thread for two
// others.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static int counter, tokens, ends[2];

static void* adds(void* unused) {
  for (int i = 1; i <= 3; ++i) assert(eventfd_write(counter, (eventfd_t)i) == 0);
  return unused;
}

static void* writes(void* unused) {
  assert(eventfd_write(tokens, 2) == 0);
  assert(write(ends[1], "xy", 2) == 2);
  return unused;
}

int main(void) {
  counter = eventfd(0, EFD_CLOEXEC);
  tokens = eventfd(0, EFD_SEMAPHORE);
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  assert(counter >= 0 && tokens >= 0 && epoll >= 0 && pipe(ends) == 0);
  const int fds[] = {counter, tokens, ends[0]};
  for (int i = 0; i < 3; ++i) {
    struct epoll_event event = {.events = EPOLLIN, .data.fd = fds[i]};
    assert(epoll_ctl(epoll, EPOLL_CTL_ADD, fds[i], &event) == 0);
  }
  pthread_t a, b;
  pthread_create(&a, NULL, adds, NULL);
  pthread_create(&b, NULL, writes, NULL);

  eventfd_t sum = 0, taken = 0, value;
  ssize_t bytes = 0;
  for (int turn = 0; sum < 6 || taken < 2 || bytes < 2; ++turn) {
    struct epoll_event events[3];
    int count = epoll_wait(epoll, events, 3, turn % 2 == 0 ? -1 : 1);
    assert(count >= 0 && count <= 3 && (count > 0 || turn % 2 == 1));
    for (int i = 0; i < count; ++i) {
      char byte;
      if (events[i].data.fd == ends[0]) {
        assert(read(ends[0], &byte, 1) == 1);
        ++bytes;
        continue;
      }
      assert(eventfd_read(events[i].data.fd, &value) == 0);
      if (events[i].data.fd == counter) sum += value;
      if (events[i].data.fd == tokens) taken += value;
    }
  }
  assert(sum == 6 && taken == 2 && bytes == 2);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  struct epoll_event none;
  assert(epoll_wait(epoll, &none, 1, 0) == 0 && epoll_wait(epoll, &none, 1, 1) == 0);
  for (int i = 0; i < 3; ++i) close(fds[i]);
  close(ends[1]);
  close(epoll);
}
