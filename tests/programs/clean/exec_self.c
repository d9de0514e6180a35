// Expect: clean
// Run: --runs 20
// A child executes this program again with an argument; that second instance is threaded as well.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void* adds(void* unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(int argc, char** argv) {
  (void)argv;
  pthread_t threads[2];
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, adds, NULL);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
  assert(count == 2);
  if (argc > 1) return 4;

  pid_t child = fork();
  if (child == 0) {
    execl("/proc/self/exe", "again", "argument", NULL);
    _exit(99);
  }
  int status;
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 4);
}
