// Expect: hang
// Run: --runs 50 --hang-timeout 1
// As pipe_never_written.cc, but with a handler that writes to the pipe: a signal from outside could
// still come, so this is no deadlock for sure.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

static int ends[2];
static atomic_int skip;

static void on_signal(int signal) {
  const char byte = (char)signal;
  if (write(ends[1], &byte, 1) != 1) _exit(1);
}

static void* sets(void* unused) {
  skip = 1;
  return unused;
}

static void* writes(void* unused) {
  if (!skip && write(ends[1], "x", 1) != 1) _exit(1);
  return unused;
}

int main(void) {
  pthread_t setter, writer;
  char byte;
  if (pipe(ends) != 0 || signal(SIGUSR1, on_signal) == SIG_ERR) return 1;
  pthread_create(&setter, 0, sets, 0);
  pthread_create(&writer, 0, writes, 0);
  if (read(ends[0], &byte, 1) != 1) return 1;
  pthread_join(setter, 0);
  pthread_join(writer, 0);
  return 0;
}
