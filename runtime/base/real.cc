#include "runtime/base/real.h"

// The library of event schedules (schedule/) replaces some of them, too: in native runs, our
// functions call its functions.
extern "C" {
#define SNAG_DECLARE_OWN(name, result, parameters) \
  __attribute__((weak)) result snag_own_##name parameters;
SNAG_REAL_FUNCTIONS(SNAG_DECLARE_OWN)
#undef SNAG_DECLARE_OWN
}

namespace snag::rt {

constinit RealFunctions real{};
decltype(RealFunctions::pthread_create) libc_pthread_create;

void resolve_real_functions() {
#define SNAG_RESOLVE(name, result, parameters) \
  real.name = reinterpret_cast<result(*) parameters>(dlsym(RTLD_NEXT, #name));
  SNAG_REAL_FUNCTIONS(SNAG_RESOLVE)
#undef SNAG_RESOLVE
  // Two versions of the condition variables live in libc; without a version dlsym may give the ones
  // of 1998.
  const auto versioned = [](const char* name) { return dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2"); };
#define SNAG_RESOLVE_COND(name) \
  if (void* f = versioned(#name)) real.name = reinterpret_cast<decltype(real.name)>(f);
  SNAG_RESOLVE_COND(pthread_cond_init)
  SNAG_RESOLVE_COND(pthread_cond_destroy)
  SNAG_RESOLVE_COND(pthread_cond_wait)
  SNAG_RESOLVE_COND(pthread_cond_timedwait)
  SNAG_RESOLVE_COND(pthread_cond_signal)
  SNAG_RESOLVE_COND(pthread_cond_broadcast)
#undef SNAG_RESOLVE_COND
  libc_pthread_create = real.pthread_create;
#define SNAG_TAKE_OWN(name, result, parameters) \
  if (&snag_own_##name) real.name = &snag_own_##name;
  SNAG_REAL_FUNCTIONS(SNAG_TAKE_OWN)
#undef SNAG_TAKE_OWN
}

}  // namespace snag::rt
