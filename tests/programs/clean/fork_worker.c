// Expect: clean
// Run: --runs 60
// Threads that each fork a child, which only uses async-signal-safe functions, and read its answer
// from a pipe.
#include <assert.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

static void* forks(void* argument) {
  int ends[2];
  assert(pipe(ends) == 0);
  char number = *(char*)argument, answer = 0;
  pid_t child = fork();
  assert(child >= 0);
  if (child == 0) {
    char twice = (char)(2 * number);
    _exit(write(ends[1], &twice, 1) != 1);
  }
  close(ends[1]);
  assert(read(ends[0], &answer, 1) == 1 && answer == 2 * number);
  int status;
  assert(waitpid(child, &status, 0) == child && status == 0);
  close(ends[0]);
  return NULL;
}

int main(void) {
  static char numbers[2] = {3, 4};
  pthread_t a, b;
  pthread_create(&a, NULL, forks, &numbers[0]);
  pthread_create(&b, NULL, forks, &numbers[1]);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
}
