// Everything that depends on the processor. Code elsewhere includes this header and no other one of
// this folder; tests/architecture/arch.py checks that there is no assembly anywhere else.
//
// To support another processor, add a folder next to x86_64/ with the same declarations:
//
//   address_space.h  the size of addresses, and where shadow memory may lie
//   atomic16.h       compare-and-swap of 16 bytes
//   calls.h          call instructions: size, target, return address
//   diverted_calls.h calls of a function that go to another one
//   elf.h            the machine number and the relocations of ELF files
//   patched_calls.h  system calls inside of libraries: found, trapped, answered
//   processor.h      cache line, pause of a spin loop, vector test
//   registers.h      thread pointer, floating-point modes, interrupted context
//   setjmp.S         setjmp that calls the runtime first
//   stack_switch.*   snag_switch_stacks and snag_park_and_exit
//   system_call.h    enters the kernel
//   thread_layout.h  libc's layout of a thread: descriptor, variables, stack
//
// gdb's part of it is gdb/snag_arch.py.
#pragma once

#include <linux/futex.h>
#include <signal.h>
#include <sys/syscall.h>

#include <cstdint>
#include <ctime>

#if defined(__x86_64__)
#include "arch/x86_64/address_space.h"
#include "arch/x86_64/atomic16.h"
#include "arch/x86_64/calls.h"
#include "arch/x86_64/diverted_calls.h"
#include "arch/x86_64/elf.h"
#include "arch/x86_64/patched_calls.h"
#include "arch/x86_64/processor.h"
#include "arch/x86_64/registers.h"
#include "arch/x86_64/stack_switch.h"
#include "arch/x86_64/system_call.h"
#include "arch/x86_64/thread_layout.h"
#else
#error "Snag has no folder for this processor: see arch/arch.h"
#endif

namespace snag {

// System calls without libc: usable on any stack, with any thread-local storage, and never
// intercepted. The result, or a negated error number; errno is not touched.
inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                        long f = 0) {
  return system_call(number, a, b, c, d, e, f);
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

// A fork that libc does not know of. (Not every processor has a system call of that name.)
inline long raw_fork() { return raw_syscall(SYS_clone, SIGCHLD); }

[[noreturn]] inline void raw_exit_process(int status) {
  for (;;) raw_syscall(SYS_exit_group, status);
}

}  // namespace snag
