// Expect: clean
// fork in two threads while a third one is busy: the children run alone, use a pipe and are waited
// for.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int stop, parents, children_seen;

static void in_parent(void) { atomic_fetch_add(&parents, 1); }

static void* forks(void* code) {
  int ends[2];
  assert(pipe(ends) == 0);
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    close(ends[0]);
    _exit(write(ends[1], "c", 1) == 1 ? *(int*)code : 99);
  }
  close(ends[1]);
  char byte = 0;
  assert(read(ends[0], &byte, 1) == 1 && byte == 'c');
  assert(read(ends[0], &byte, 1) == 0);
  close(ends[0]);
  int status;
  assert(waitpid(child, &status, 0) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == *(int*)code);
  atomic_fetch_add(&children_seen, 1);
  return NULL;
}

static void* busy(void* unused) {
  while (!stop) sched_yield();
  return unused;
}

int main(void) {
  assert(pthread_atfork(NULL, in_parent, NULL) == 0);
  int codes[] = {7, 8};
  pthread_t a, b, c;
  pthread_create(&c, NULL, busy, NULL);
  pthread_create(&a, NULL, forks, &codes[0]);
  pthread_create(&b, NULL, forks, &codes[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  stop = 1;
  pthread_join(c, NULL);
  assert(children_seen == 2 && parents == 2);
}
