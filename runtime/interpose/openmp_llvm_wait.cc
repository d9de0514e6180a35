// Implements openmp.h: how libomp waits.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "arch/arch.h"
#include "runtime/interpose/openmp.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {
namespace {

// ---- The environment. ----

// (By itself it binds threads to processors, to find out which there are, and changes places.)
constexpr const char* kPassive[] = {"OMP_WAIT_POLICY=passive", "KMP_BLOCKTIME=0",
                                    "KMP_TOPOLOGY_METHOD=flat",
                                    // These threads would take tasks of all teams.
                                    "LIBOMP_USE_HIDDEN_HELPER_TASK=0"};
constexpr const char* kLeftOut[] = {
    "KMP_LIBRARY=", "KMP_AFFINITY=", "KMP_HW_SUBSET=", "OMP_PROC_BIND=", "OMP_PLACES="};
constexpr std::size_t kMostEntries = 4096;
constinit char** program_environment = nullptr;

bool is_replaced(const char* entry) {
  for (const char* other : kPassive) {
    const std::size_t length = static_cast<std::size_t>(strchr(other, '=') - other) + 1;
    if (strncmp(entry, other, length) == 0) return true;
  }
  for (const char* other : kLeftOut) {
    if (strncmp(entry, other, strlen(other)) == 0) return true;
  }
  return false;
}

}  // namespace

void let_wait_passively() {
  static constinit char* entries[kMostEntries];
  std::size_t count = 0;
  for (const char* entry : kPassive) entries[count++] = const_cast<char*>(entry);
  for (char** entry = environ; entry && *entry && count + 1 < kMostEntries; ++entry) {
    if (!is_replaced(*entry)) entries[count++] = *entry;
  }
  entries[count] = nullptr;
  program_environment = environ;
  environ = entries;
}

void restore_environment() { environ = program_environment; }

// ---- Spinning. ----

namespace {

struct CodeOfLibrary {
  std::uint64_t in, begin, end;
};
constinit CodeOfLibrary library_code{};

int find_code(dl_phdr_info* info, std::size_t, void* opaque) {
  auto* code = static_cast<CodeOfLibrary*>(opaque);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uint64_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X) || code->in - begin >= header.p_memsz)
      continue;
    code->begin = begin;
    code->end = begin + header.p_memsz;
    return 1;
  }
  return 0;
}

constexpr int kTickSignal = SIGPWR;  // hardly any program uses it, and gdb knows it

void on_tick(int, siginfo_t*, void* context) {
  static constinit std::uint64_t last_step = ~0ull;
  static constinit int alone = 0;
  if (!controlled) return;
  const std::uint64_t pc = interrupted_pc(context);
  if (pc < library_code.begin || pc >= library_code.end) return;
  if (sched.step != last_step) {
    last_step = sched.step;
    return;
  }
  // If nobody else can run, it is a hang after a while.
  constexpr int kPatience = 50;
  alone = sched.enabled_count > 1 ? 0 : alone + 1;
  if (alone > kPatience) return;
  const int saved = errno;
  yield_step(pc);
  errno = saved;
}

}  // namespace

void watch_for_spinning(std::uint64_t in_library) {
  library_code = {in_library, 0, 0};
  dl_iterate_phdr(find_code, &library_code);
  struct sigaction action {};
  action.sa_sigaction = on_tick;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_RESTART;
  using SigAction = int (*)(int, const struct sigaction*, struct sigaction*);
  const auto native = reinterpret_cast<SigAction>(dlsym(RTLD_NEXT, "sigaction"));
  if (native(kTickSignal, &action, nullptr) != 0) return;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = kTickSignal;
  int timer = 0;
  if (raw_syscall(SYS_timer_create, CLOCK_PROCESS_CPUTIME_ID, as_arg(&event), as_arg(&timer)) != 0)
    return;
  const itimerspec each{{0, 10'000'000}, {0, 10'000'000}};
  raw_syscall(SYS_timer_settime, timer, 0, as_arg(&each), 0);
}

}  // namespace snag::rt
