// Programs that are odd in one way each, chosen by a macro.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
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
#elif defined(SCRIBBLES) || defined(SCRIBBLES_AND_ABORTS)
  // Wild writes over the memory that Snag shares with the program.
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (line.find("rw-s") == std::string::npos) continue;
    std::sscanf(line.c_str(), "%lx-%lx", &begin, &end);
    for (unsigned long at = begin; at < end && at < begin + (1 << 20); at += sizeof(long))
      *reinterpret_cast<volatile long*>(at) = -1;
  }
#ifdef SCRIBBLES
  _exit(0);
#endif
  std::abort();
#elif defined(SCRIBBLES_BESIDE)
  // The byte behind that memory.
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin = 0, end = 0;
    if (line.find("rw-s") == std::string::npos) continue;
    std::sscanf(line.c_str(), "%lx-%lx", &begin, &end);
    *reinterpret_cast<volatile char*>(end) = 1;
  }
#elif defined(THREADS)
  std::thread([] {}).join();
#elif defined(EXECS)
  execl("/bin/true", "true", static_cast<char*>(nullptr));
#elif defined(CLONES)
  clone(nothing, stack + sizeof stack, CLONE_VM | SIGCHLD, nullptr);
  wait(nullptr);
#endif
}
#endif
