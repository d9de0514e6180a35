#include "schedule/enforce/kernel_state.h"

#include <fcntl.h>

#include <cstdlib>
#include <cstring>

#include "schedule/enforce/raw.h"

namespace snag::schedule {
namespace {

char* append(char* to, const char* text) {
  while (*text) *to++ = *text++;
  return to;
}

// Reads /proc/self/task/<tid>/<file>; false if there is no such thing.
bool read_task_file(pid_t tid, const char* file, char* buffer, std::size_t size) {
  char path[64];
  char digits[16];
  int count = 0;
  for (unsigned rest = static_cast<unsigned>(tid); rest != 0 || count == 0; rest /= 10)
    digits[count++] = static_cast<char>('0' + rest % 10);
  char* end = append(path, "/proc/self/task/");
  while (count > 0) *end++ = digits[--count];
  *append(append(end, "/"), file) = '\0';
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, as_arg(path), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  std::size_t length = 0;
  while (length + 1 < size) {
    const long got =
        raw_syscall(SYS_read, fd, as_arg(buffer + length), static_cast<long>(size - 1 - length));
    if (got <= 0) break;
    length += static_cast<std::size_t>(got);
  }
  raw_syscall(SYS_close, fd);
  buffer[length] = '\0';
  return length != 0;
}

bool within(unsigned long address, const void* object) {
  constexpr unsigned long kLargest = 64;  // of libc's objects
  const auto begin = reinterpret_cast<unsigned long>(object);
  return object && address - begin < kLargest;
}

}  // namespace

KernelState kernel_state_of(const Thread* thread, const Wait& wait) {
  const pid_t tid = thread->tid.load(std::memory_order_acquire);
  if (tid == 0 || thread->leaving) return KernelState::kAwake;
  // The kernel would report the caller itself as being in a system call: this one.
  if (tid == raw_syscall(SYS_gettid)) return KernelState::kUnknown;
  char text[256];
  // "running", or the number of the system call and its arguments.
  if (!read_task_file(tid, "syscall", text, sizeof text)) return KernelState::kUnknown;
  if (thread->leaving) return KernelState::kAwake;
  char* end = text;
  const long call = std::strtol(text, &end, 10);
  if (end == text || call < 0) return KernelState::kAwake;
  if (wait.kind == WaitKind::kSleep || wait.kind == WaitKind::kOutside ||
      wait.kind == WaitKind::kKernel || wait.kind == WaitKind::kJoin)
    return KernelState::kAsleep;
  // Asleep for another reason, such as a lock inside a sanitizer, which ends soon.
  if (call != SYS_futex) return KernelState::kUnknown;
  const unsigned long address = std::strtoul(end, nullptr, 16);
  return within(address, wait.object) || within(address, wait.mutex) ? KernelState::kAsleep
                                                                     : KernelState::kUnknown;
}

bool sleeps_on(Thread* thread) {
  const pid_t tid = thread->tid.load(std::memory_order_acquire);
  char text[4096];
  if (tid == 0 || !read_task_file(tid, "status", text, sizeof text)) return false;
  const char* state = std::strstr(text, "\nState:\t");
  const char* switches = std::strstr(text, "\nvoluntary_ctxt_switches:\t");
  if (!state || !switches || state[8] != 'S' || thread->wants_lock) {
    thread->switches = 0;
    return false;
  }
  const std::uint64_t count = std::strtoull(switches + 26, nullptr, 10);
  const bool same = thread->switches == count + 1;
  thread->switches = count + 1;  // 0: not seen
  return same;
}

bool has_unknown_tasks(int known) {
  struct Entry {  // of getdents64
    std::uint64_t inode;
    std::int64_t offset;
    unsigned short length;
    unsigned char type;
    char name[1];
  };
  const long fd = raw_syscall(SYS_openat, AT_FDCWD, as_arg("/proc/self/task"),
                              O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return true;
  alignas(8) char buffer[2048];
  int count = 0;
  long got = 0;
  while ((got = raw_syscall(SYS_getdents64, fd, as_arg(buffer), sizeof buffer)) > 0) {
    for (long at = 0; at < got;) {
      const auto* entry = reinterpret_cast<const Entry*>(buffer + at);
      if (entry->name[0] != '.') ++count;
      at += entry->length;
    }
  }
  raw_syscall(SYS_close, fd);
  return count > known;
}

}  // namespace snag::schedule
