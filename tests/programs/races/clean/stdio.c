// Expect: clean
// Plain C: printf, putchar and fwrite from several threads.
#include <pthread.h>
#include <stdio.h>

static void* print(void* argument) {
  printf("thread %d\n", *(int*)argument);
  putchar('x');
  fwrite("done\n", 1, 5, stdout);
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int arguments[2] = {1, 2};
  for (int i = 0; i < 2; ++i) pthread_create(&threads[i], 0, print, &arguments[i]);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
  return fflush(stdout) != 0;
}
