// Libraries that the program loads while it runs.
#include <dlfcn.h>

#include "runtime/cover.h"
#include "runtime/interpose.h"
#include "runtime/server.h"

using namespace snag;
using namespace snag::rt;

// libc's dlopen looks at its caller (for $ORIGIN and the search path of that module). From here the
// caller is always the executable, which matters only to a library that loads others by a path
// relative to itself.
SNAG_INTERPOSE void* dlopen(const char* file, int mode) {
  static auto* const native =
      reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  void* handle = native(file, mode);
  if (controlled && handle) {
    find_new_modules(g.shared);
    find_directed_places(g.shared);
  }
  if (cover_on && handle) cover_new_modules();
  return handle;
}
