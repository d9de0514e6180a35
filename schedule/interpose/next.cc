#include "schedule/interpose/next.h"

#include <dlfcn.h>

#include <cstring>

#include "schedule/enforce/raw.h"

extern "C" {
// A sanitizer that is linked into the program itself (clang's) provides these for libraries that
// replace its functions.
#define SNAG_DECLARE_WEAK(name, result, parameters) \
  __attribute__((weak)) result __interceptor_##name parameters;
SNAG_REPLACED_FUNCTIONS(SNAG_DECLARE_WEAK)
#undef SNAG_DECLARE_WEAK
// In programs that are linked with -static: static/next_static.cc.
__attribute__((weak)) void snag_schedule_static(snag::schedule::NextFunctions& next);
}

namespace snag::schedule {

constinit NextFunctions next_functions = {};
constinit bool has_next_functions = false;

namespace {

const void* module_of(const void* address) {
  Dl_info info{};
  return dladdr(address, &info) != 0 ? info.dli_fbase : nullptr;
}

void* find_next(const char* name) {
  void* function = dlsym(RTLD_NEXT, name);
  // libc has an older version of these under the same name, too.
  if (std::strncmp(name, "pthread_cond_", 13) == 0) {
    void* newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    if (newer && module_of(newer) == module_of(function)) return newer;
  }
  return function;
}

// Only if it is linked into the same module: a sanitizer elsewhere comes before us, and calls us.
template <class Function>
Function* choose(Function* interceptor, const char* name) {
  const auto* here = reinterpret_cast<const void*>(&find_next);
  if (interceptor && module_of(reinterpret_cast<const void*>(interceptor)) == module_of(here))
    return interceptor;
  return reinterpret_cast<Function*>(find_next(name));
}

[[noreturn]] void cannot_find() {
  constexpr char kText[] =
      "snag: this program is linked with -static, where the functions of libc that Snag's event "
      "schedules replace cannot be looked up: link with `pkg-config --static --libs "
      "snag-schedule`, or in CMake with snag::schedule_static\n";
  raw_syscall(SYS_write, 2, as_arg(kText), sizeof kText - 1);
  for (;;) raw_syscall(SYS_exit_group, 127);
}

}  // namespace

void find_next_functions() {
  if (&snag_schedule_static) {
    snag_schedule_static(next_functions);
  } else {
#define SNAG_FIND(name, result, parameters) \
  next_functions.name = choose(&__interceptor_##name, #name);
    SNAG_REPLACED_FUNCTIONS(SNAG_FIND)
#undef SNAG_FIND
    if (!next_functions.pthread_create) cannot_find();
  }
  __atomic_store_n(&has_next_functions, true, __ATOMIC_RELEASE);
}

}  // namespace snag::schedule
