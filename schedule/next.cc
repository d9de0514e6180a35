#include "schedule/next.h"

#include <dlfcn.h>

#include <cstring>

// A sanitizer that is linked into the program itself (clang's) leaves these for those who replace
// its functions; so does libc in a program that is linked statically.
extern "C" {
#define SNAG_DECLARE_WEAK(name, result, parameters)             \
  __attribute__((weak)) result __interceptor_##name parameters; \
  __attribute__((weak)) result __##name parameters;
SNAG_NEXT_FUNCTIONS(SNAG_DECLARE_WEAK)
#undef SNAG_DECLARE_WEAK
}

namespace snag::schedule {

constinit NextFunctions next_functions = {};
constinit bool has_next_functions = false;

namespace {

void* find_next(const char* name) {
  // Of these libc has an older kind of the same name.
  if (std::strncmp(name, "pthread_cond_", 13) == 0 && std::strcmp(name + 13, "clockwait") != 0) {
    if (void* function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2")) return function;
  }
  return dlsym(RTLD_NEXT, name);
}

template <class Function>
Function* choose(Function* interceptor, const char* name, Function* internal) {
  if (interceptor) return interceptor;
  if (void* function = find_next(name)) return reinterpret_cast<Function*>(function);
  return internal;
}

}  // namespace

void find_next_functions() {
#define SNAG_FIND(name, result, parameters) \
  next_functions.name = choose(&__interceptor_##name, #name, &__##name);
  SNAG_NEXT_FUNCTIONS(SNAG_FIND)
#undef SNAG_FIND
  __atomic_store_n(&has_next_functions, true, __ATOMIC_RELEASE);
}

}  // namespace snag::schedule
