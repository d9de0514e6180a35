// Implements dlopen and dlclose: libraries that the program loads while it runs.
#include <dlfcn.h>
#include <link.h>

#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/library_waits.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/sync_objects.h"
#include "runtime/sched/thread_locals.h"

using namespace snag;
using namespace snag::rt;

namespace {

// The lock that libc's loader holds while the constructors and destructors of libraries run:
// another thread that loads a library waits until they are done. It is recursive.
class LoaderLock {
 public:
  explicit LoaderLock(std::uint64_t pc) {
    if (!controlled) return;
    SyncObject* object = sync_object(&loader_);
    if (object->owner != sched.current->tid) {
      step_when(OpKind::kOnce, object, is_free, pc);
      object->owner = sched.current->tid;
      object_changed(object);
      race_acquire(&loader_);
    }
    ++object->count;
    held_ = true;
  }
  ~LoaderLock() {
    if (!held_ || !controlled) return;
    SyncObject* object = sync_object(&loader_);
    if (--object->count != 0) return;
    race_release(&loader_);
    object->owner = kNoTid;
    note_write();
    object_changed(object);
  }
  LoaderLock(const LoaderLock&) = delete;
  LoaderLock& operator=(const LoaderLock&) = delete;

 private:
  static bool is_free(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }

  static constinit inline std::uint64_t loader_ = 0;
  bool held_ = false;
};

}  // namespace

// libc's dlopen looks at its caller (for $ORIGIN and the search path of that module). From here the
// caller is always the executable, which matters only to a library that loads others by a path
// relative to itself.
SNAG_INTERPOSE void* dlopen(const char* file, int mode) {
  static auto* const native =
      reinterpret_cast<void* (*)(const char*, int)>(dlsym(RTLD_NEXT, "dlopen"));
  const LoaderLock lock(SNAG_CALLER);
  const NoSpinning while_loading;
  void* handle = native(file, mode);
  thread_local_modules_change();
  if (handle) {
    if (controlled) {
      find_new_modules(sched.shared);
      if (!trap_library_waits()) fail(FailureKind::kUnsupported, 0, kCannotTrap);
      handle_library_waits();
    }
    observe_modules_loaded();
  }
  return handle;
}

namespace {

// The memory of the loaded modules that can be written to.
struct Loaded {
  struct Segment {
    std::uint64_t begin, size;
  };
  static constexpr int kMost = 256;  // raises no events for modules beyond this many
  Segment segments[kMost];
  int count = 0;

  Loaded() { dl_iterate_phdr(add, this); }
  bool has(const Segment& wanted) const {
    for (int i = 0; i < count; ++i) {
      if (segments[i].begin == wanted.begin && segments[i].size == wanted.size) return true;
    }
    return false;
  }
  static int add(dl_phdr_info* info, std::size_t, void* opaque) {
    auto* all = static_cast<Loaded*>(opaque);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto& header = info->dlpi_phdr[i];
      if (header.p_type != PT_LOAD || (header.p_flags & PF_W) == 0 || all->count == kMost) continue;
      all->segments[all->count++] = {info->dlpi_addr + header.p_vaddr, header.p_memsz};
    }
    return 0;
  }
};

}  // namespace

// Memory at the address of an unloaded library is new memory.
SNAG_INTERPOSE int dlclose(void* handle) {
  static auto* const native = reinterpret_cast<int (*)(void*)>(dlsym(RTLD_NEXT, "dlclose"));
  const LoaderLock lock(SNAG_CALLER);
  thread_local_modules_change();
  if (!observes_memory()) {
    const int error = native(handle);
    thread_local_modules_change();
    return error;
  }
  const Loaded before;
  const int error = native(handle);
  thread_local_modules_change();
  const Loaded after;
  for (int i = 0; i < before.count; ++i) {
    const Loaded::Segment& segment = before.segments[i];
    if (!after.has(segment))
      observe_allocated(reinterpret_cast<void*>(segment.begin), segment.size);
  }
  return error;
}
