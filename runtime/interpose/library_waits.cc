#include "runtime/interpose/library_waits.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "protocol/shared_memory.h"
#include "runtime/base/path.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/openmp.h"

namespace snag::rt {
namespace {

constexpr const char* kLibrary = "libgomp.so";
constexpr const char* kSpinVariable = "GOMP_SPINCOUNT";

constexpr std::uint32_t kMaxTraps = 1024;  // libgomp of g++ 12 has 39
constinit std::uint64_t traps[kMaxTraps];
constinit std::uint32_t trap_count = 0;

constinit bool handles = false;
constinit struct sigaction previous {};

bool is_trap(std::uint64_t pc) {
  for (std::uint32_t i = 0; i < trap_count; ++i) {
    if (traps[i] == pc) return true;
  }
  return false;
}

bool has_inline_waits(const char* path) {
  return strncmp(base_name(path), kLibrary, strlen(kLibrary)) == 0;
}

bool replace_in(std::uint64_t begin, std::uint64_t size, bool* complete) {
  constexpr std::uint64_t kPage = 4096;
  auto* page = reinterpret_cast<void*>(begin & ~(kPage - 1));
  const std::uint64_t length = begin + size - (begin & ~(kPage - 1));
  if (mprotect(page, length, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) return false;
  for_each_system_call(reinterpret_cast<const std::uint8_t*>(begin), size,
                       [&](const std::uint8_t* code) {
                         if (trap_count == kMaxTraps) {
                           *complete = false;
                           return;
                         }
                         traps[trap_count++] = reinterpret_cast<std::uint64_t>(code);
                         memcpy(const_cast<std::uint8_t*>(code), kTrapCode, sizeof kTrapCode);
                       });
  return mprotect(page, length, PROT_READ | PROT_EXEC) == 0;
}

constexpr std::uint32_t kMaxTreated = 16;
constinit std::uint64_t treated[kMaxTreated];  // where they are loaded
constinit std::uint32_t treated_count = 0;

bool is_treated(std::uint64_t base) {
  for (std::uint32_t i = 0; i < treated_count; ++i) {
    if (treated[i] == base) return true;
  }
  return false;
}

// (One that comes to the place of another one that has gone is missed: libgomp stays loaded.)
int treat(dl_phdr_info* info, std::size_t, void* opaque) {
  auto* complete = static_cast<bool*>(opaque);
  if (!has_inline_waits(info->dlpi_name) || is_treated(info->dlpi_addr)) return 0;
  if (treated_count < kMaxTreated) treated[treated_count++] = info->dlpi_addr;
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
    if (!replace_in(info->dlpi_addr + header.p_vaddr, header.p_memsz, complete)) *complete = false;
  }
  return 0;
}

long do_call(const WantedCall& wanted, std::uint64_t pc) {
  const long* a = wanted.arguments;
  long result;
  if (controlled && wanted.number == SYS_futex && controlled_futex(a, pc, &result))
    return result < 0 ? -errno : result;
  return raw_syscall(wanted.number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

// Threads may be switched in here: each has its own frame of the signal on its own stack, and no
// signal is blocked meanwhile.
void on_trap(int signal, siginfo_t* info, void* context) {
  const std::uint64_t pc = interrupted_pc(context);
  if (is_trap(pc)) {
    const int saved = errno;
    const std::uint64_t place = openmp_place();
    answer_call(context, do_call(wanted_call(context), place ? place : pc));
    errno = saved;
    return;
  }
  if (previous.sa_flags & SA_SIGINFO) return previous.sa_sigaction(signal, info, context);
  if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN)
    return previous.sa_handler(signal);
  struct sigaction action {};  // the instruction is executed again
  action.sa_handler = SIG_DFL;
  handles = false;
  ::sigaction(signal, &action, nullptr);
}

bool is_entry_of(const char* entry, const char* variable) {
  const std::size_t length = strlen(variable);
  return strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

constinit char no_spinning[] = "GOMP_SPINCOUNT=0";
constinit char* replaced_entry = nullptr;

}  // namespace

bool trap_library_waits() {
  bool complete = true;
  dl_iterate_phdr(treat, &complete);
  return complete;
}

void handle_library_waits() {
  if (trap_count == 0 || handles) return;
  struct sigaction action {};
  action.sa_sigaction = on_trap;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  ::sigaction(SIGILL, &action, &previous);
  handles = true;
}

bool keeps_trap_handler(int signal) { return handles && signal == SIGILL; }

int exchange_trap_action(const struct sigaction* action, struct sigaction* old) {
  if (old) *old = previous;
  if (action) previous = *action;
  return 0;
}

// libc's own functions cannot be used yet: it does not know its environment before its own
// constructor has run. So an entry is replaced: that of the variable itself, or that by which the
// tool tells that there is control, which nobody looks at meanwhile.
void forbid_spinning(char** environment) {
  char** control = nullptr;
  char** place = nullptr;
  for (char** entry = environment; *entry; ++entry) {
    if (is_entry_of(*entry, kControlVariable)) control = entry;
    if (is_entry_of(*entry, kSpinVariable)) place = entry;
  }
  if (!control) return;
  if (!place) place = control;
  replaced_entry = *place;
  *place = no_spinning;
}

void allow_spinning() {
  if (!replaced_entry) return;
  for (char** entry = environ; *entry; ++entry) {
    if (*entry == no_spinning) *entry = replaced_entry;
  }
  replaced_entry = nullptr;
}

// (Who has set the variable gets what it says: there is no telling who else looks at it.)
NoSpinning::NoSpinning() : changed_(controlled && !getenv(kSpinVariable)) {
  if (changed_) setenv(kSpinVariable, "0", 1);
}
NoSpinning::~NoSpinning() {
  if (changed_) unsetenv(kSpinVariable);
}

}  // namespace snag::rt
