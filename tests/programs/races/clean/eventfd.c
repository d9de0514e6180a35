// Expect: clean
// What is written to an eventfd orders what came before it.
#include <pthread.h>
#include <sys/eventfd.h>

static int event, data;

static void* wait_for_it(void* unused) {
  eventfd_t value;
  eventfd_read(event, &value);
  return data == 1 ? 0 : unused;
}

int main(void) {
  pthread_t thread;
  event = eventfd(0, 0);
  pthread_create(&thread, 0, wait_for_it, 0);
  data = 1;
  eventfd_write(event, 1);
  pthread_join(thread, 0);
  return 0;
}
