// Expect: clean
// A handler of SIGSEGV that makes the page accessible and returns, with a step in it at which other
// threads may go on, and fault as well.
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { kPage = 4096 };
static char* memory;
static int faults;

static void make_accessible(int signal, siginfo_t* info, void* context) {
  (void)signal, (void)context;
  __atomic_fetch_add(&faults, 1, __ATOMIC_SEQ_CST);
  const unsigned long page = (unsigned long)info->si_addr & ~(kPage - 1ul);
  mprotect((void*)page, kPage, PROT_READ | PROT_WRITE);
}

static void* touch(void* pages) {
  ((char*)pages)[0] = 1;
  ((char*)pages)[kPage] = 1;
  return 0;
}

int main(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = make_accessible;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, 0);
  memory = mmap(0, 4 * kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_t first, second;
  pthread_create(&first, 0, touch, memory);
  pthread_create(&second, 0, touch, memory + 2 * kPage);
  pthread_join(first, 0);
  pthread_join(second, 0);
  if (faults != 4) abort();
  return 0;
}
