// Expect: clean
// Signals that are blocked everywhere come to one thread through a signalfd, which counts them
// until the last one.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

static void* reads(void* argument) {
  int fd = *(int*)argument;
  struct signalfd_siginfo info;
  do assert(read(fd, &info, sizeof info) == sizeof info);
  while (info.ssi_signo != SIGUSR2);
  return argument;
}

int main(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  int fd = signalfd(-1, &set, SFD_CLOEXEC);
  pthread_t reader;
  pthread_create(&reader, NULL, reads, &fd);
  kill(getpid(), SIGUSR1);
  kill(getpid(), SIGUSR2);
  pthread_join(reader, NULL);
  close(fd);
}
