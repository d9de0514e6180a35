// Implements interpose.h: the ends that the program asks for itself.
#include <stdio.h>

#include "arch/arch.h"
#include "runtime/interpose/interpose.h"
#include "runtime/sched/failure.h"

using namespace snag;
using namespace snag::rt;

SNAG_INTERPOSE void abort() {
  if (controlled) fail_aborted(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  real.abort();
  __builtin_unreachable();
}

SNAG_INTERPOSE void __assert_fail(const char* condition, const char* file, unsigned line,
                                  const char* function) {
  if (controlled) {
    char message[700];
    const int length = snprintf(message, sizeof message, "%s:%u: %s: assertion `%s' failed\n", file,
                                line, function, condition);
    raw_syscall(SYS_write, 2, as_arg(message), length < 700 ? length : 699);
    snprintf(message, sizeof message, "assertion `%s' failed", condition);
    fail(FailureKind::kAssert, 0, message,
         reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  }
  real.__assert_fail(condition, file, line, function);
  __builtin_unreachable();
}
