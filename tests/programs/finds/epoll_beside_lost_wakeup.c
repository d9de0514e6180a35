// Expect: lost-wakeup
// The usual set-up of a library for networks: one thread waits in epoll_wait without a timeout, for
// events that only this process can send. It must not hide that the others wait in vain: the worker
// does not look at `stop` again after it was without the lock.
#include <assert.h>
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int stop, event, epoll;

static void* poll_loop(void* unused) {
  struct epoll_event events[4];
  while (epoll_wait(epoll, events, 4, -1) > 0) {
    eventfd_t value;
    assert(eventfd_read(event, &value) == 0);
    if (value == 100) break;
  }
  return unused;
}

static void call_back(void) {}

static void* worker(void* unused) {
  pthread_mutex_lock(&lock);
  if (!stop) {
    pthread_mutex_unlock(&lock);
    call_back();
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&changed, &lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  event = eventfd(0, EFD_CLOEXEC);
  epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event entry = {.events = EPOLLIN};
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, event, &entry) == 0);
  pthread_t threads[2];
  pthread_create(&threads[0], NULL, poll_loop, NULL);
  pthread_create(&threads[1], NULL, worker, NULL);
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(threads[1], NULL);
  assert(eventfd_write(event, 100) == 0);
  pthread_join(threads[0], NULL);
  return 0;
}
