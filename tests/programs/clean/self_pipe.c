// Expect: clean
// The self-pipe trick: a handler writes a byte, and an event loop reads it beside another pipe that
// a thread writes to.
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static int signals[2], data[2];

static void on_usr1(int number) {
  int saved = errno;
  char byte = (char)number;
  assert(write(signals[1], &byte, 1) == 1);
  errno = saved;
}

static void* writes(void* unused) {
  assert(write(data[1], "xy", 2) == 2);
  kill(getpid(), SIGUSR1);
  return unused;
}

int main(void) {
  assert(pipe(signals) == 0 && pipe(data) == 0);
  struct sigaction action = {.sa_handler = on_usr1, .sa_flags = SA_RESTART};
  sigaction(SIGUSR1, &action, NULL);
  pthread_t writer;
  pthread_create(&writer, NULL, writes, NULL);
  int got_signal = 0, got_bytes = 0;
  while (!got_signal || got_bytes < 2) {
    struct pollfd fds[2] = {{signals[0], POLLIN, 0}, {data[0], POLLIN, 0}};
    if (poll(fds, 2, -1) < 0) {
      assert(errno == EINTR);
      continue;
    }
    char buffer[2];
    if (fds[0].revents & POLLIN) got_signal = read(signals[0], buffer, 1) == 1;
    if (fds[1].revents & POLLIN) got_bytes += read(data[0], buffer, 2);
  }
  pthread_join(writer, NULL);
  for (int i = 0; i < 2; ++i) close(signals[i]), close(data[i]);
}
