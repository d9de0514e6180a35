// Expect: clean
// Run: --runs 20
// All threads wait for a descriptor that somebody else makes ready: a child, a program that was
// started, a clock, the handler of a timer's signal. That is no deadlock.
#define _GNU_SOURCE
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;
static int ends[2];

static void wait_for(int descriptor) {
  int epoll = epoll_create1(EPOLL_CLOEXEC);
  struct epoll_event entry = {.events = EPOLLIN}, got;
  assert(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &entry) == 0);
  assert(epoll_wait(epoll, &got, 1, -1) == 1);
  close(epoll);
}

static void from_clock(void) {
  int clock = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC);
  struct itimerspec time = {.it_value = {.tv_nsec = 2000000}};
  assert(timerfd_settime(clock, 0, &time, NULL) == 0);
  wait_for(clock);
  close(clock);
}

static void on_alarm(int signal) {
  (void)signal;
  if (write(ends[1], "x", 1) != 1) abort();
}

static void from_handler(void) {
  assert(pipe(ends) == 0);
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  struct itimerval time = {.it_value = {.tv_usec = 2000}};
  assert(setitimer(ITIMER_REAL, &time, NULL) == 0);
  struct pollfd entry = {ends[0], POLLIN, 0};
  while (poll(&entry, 1, -1) != 1) {
  }
  signal(SIGALRM, SIG_DFL);
  close(ends[0]), close(ends[1]);
}

static void from_spawned(void) {
  assert(pipe(ends) == 0);
  char command[64];
  snprintf(command, sizeof command, "echo x >&%d", ends[1]);
  char* words[] = {"sh", "-c", command, NULL};
  pid_t child;
  assert(posix_spawnp(&child, "sh", NULL, NULL, words, environ) == 0);
  wait_for(ends[0]);
  assert(waitpid(child, NULL, 0) == child);
  close(ends[0]), close(ends[1]);
}

static void from_child(void) {
  int event = eventfd(0, 0);
  pid_t child = fork();
  if (child == 0) _exit(eventfd_write(event, 1));
  wait_for(event);
  assert(waitpid(child, NULL, 0) == child);
  close(event);
}

// Before any child, which makes all descriptors doubtful.
static void* all(void* unused) {
  from_clock();
  from_handler();
  from_spawned();
  from_child();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, all, NULL);
  pthread_join(thread, NULL);
  return 0;
}
