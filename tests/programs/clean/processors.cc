// Expect: clean
// Run: --processors 5
// The program sees as many processors as it is told.
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cassert>
#include <thread>

int main() {
  assert(std::thread::hardware_concurrency() == 5);
  assert(sysconf(_SC_NPROCESSORS_ONLN) == 5 && sysconf(_SC_NPROCESSORS_CONF) == 5);
  assert(get_nprocs() == 5 && get_nprocs_conf() == 5);
  cpu_set_t set;
  assert(sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) == 5);
  assert(pthread_getaffinity_np(pthread_self(), sizeof set, &set) == 0 && CPU_COUNT(&set) == 5);
  CPU_ZERO(&set);
  assert(syscall(SYS_sched_getaffinity, 0, sizeof set, &set) == 8 && CPU_COUNT(&set) == 5);
  unsigned char none;
  assert(sched_getaffinity(0, sizeof none, reinterpret_cast<cpu_set_t*>(&none)) == -1);
  assert(sched_setaffinity(0, sizeof set, &set) == 0);
  assert(syscall(SYS_sched_setaffinity, 0, sizeof set, &set) == 0);
  std::thread([] {}).join();
}
