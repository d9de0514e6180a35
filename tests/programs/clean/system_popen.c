// Expect: clean
// Run: --runs 50
// system, popen and posix_spawn from several threads.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void* systems(void* unused) {
  int status = system("exit 5");
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 5);
  return unused;
}

static void* popens(void* unused) {
  FILE* from = popen("echo word", "r");
  char line[16] = "";
  assert(from != NULL && fgets(line, sizeof line, from) != NULL && strcmp(line, "word\n") == 0);
  assert(pclose(from) == 0);
  return unused;
}

static void* spawns(void* unused) {
  pid_t child;
  char* arguments[] = {"sh", "-c", "exit 6", NULL};
  int status;
  assert(posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ) == 0);
  assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 6);
  return unused;
}

int main(void) {
  void* (*bodies[])(void*) = {systems, popens, spawns};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i) pthread_create(&threads[i], NULL, bodies[i], NULL);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], NULL);
}
