// System calls without libc: usable on any stack, with any thread-local storage, and never
// intercepted.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>

#include <cstdint>
#include <ctime>

namespace snag {

// The result, or a negated error number; errno is not touched.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  long result;
  register long r10 asm("r10") = d;
  register long r8 asm("r8") = e;
  register long r9 asm("r9") = f;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
}

template <class T>
long as_arg(T value) {
  return (long)value;  // pointers and integers alike
}

// Who can wait on a futex: any process that maps the memory, or only threads of this process, which
// is cheaper.
enum class FutexScope { kShared = 0, kPrivate = FUTEX_PRIVATE_FLAG };

// Waits while *word == value, or until the timeout (relative) has passed. May also return early.
inline long futex_wait(const void* word, std::uint32_t value, const timespec* timeout = nullptr,
                       FutexScope scope = FutexScope::kShared) {
  return raw_syscall(SYS_futex, as_arg(word), FUTEX_WAIT | static_cast<int>(scope), value,
                     as_arg(timeout));
}
inline long futex_wake(const void* word, int count = 1, FutexScope scope = FutexScope::kShared) {
  return raw_syscall(SYS_futex, as_arg(word), FUTEX_WAKE | static_cast<int>(scope), count);
}

[[noreturn]] inline void raw_exit_process(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

}  // namespace snag
