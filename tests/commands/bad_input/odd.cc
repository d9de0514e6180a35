// Programs that are odd in one way each, chosen by a macro.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#ifdef LIBRARY
// Crashes when it is loaded, long before anything of the program runs.
__attribute__((constructor)) static void crash() { *static_cast<volatile int*>(nullptr) = 1; }
#else

#ifdef CRASHES_EARLY
static int crash() { return *static_cast<volatile int*>(nullptr); }
int value = crash();
#endif

#ifdef CLONES
static char stack[65536];
static int nothing(void*) { return 0; }
#endif

int main() {
#ifdef FORKS
  std::thread([] {}).join();
  if (const pid_t child = fork(); child == 0) {
    std::thread([] {}).join();
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
#elif defined(EXECS)
  execl("/bin/true", "true", static_cast<char*>(nullptr));
#elif defined(CLONES)
  clone(nothing, stack + sizeof stack, CLONE_VM | SIGCHLD, nullptr);
  wait(nullptr);
#endif
}
#endif
