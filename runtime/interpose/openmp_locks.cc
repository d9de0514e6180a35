// Implements openmp.h: locks, critical sections, and what the compiler protects by them.
//
// The scheduler decides who has a lock. Only then is libgomp's own taken, which is free by then, so
// that its memory always looks as libgomp expects.
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/locks/lock_order.h"
#include "runtime/interpose/openmp.h"

using namespace snag;
using namespace snag::rt;

// The section without a name, and libgomp's own one for updates that the processor cannot do.
// Reports show these names.
extern "C" {
[[gnu::visibility("hidden")]] constinit ClockKey omp_critical{};
[[gnu::visibility("hidden")]] constinit ClockKey omp_atomic{};
}

namespace snag::rt {
namespace {

// The lock is an int to libgomp, too.
void check_memory(void* lock, std::uint64_t pc) {
  heap_check_object(static_cast<pthread_spinlock_t*>(lock), pc);
}

bool is_free(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }

void has_taken(SyncObject* object, std::uint64_t pc) {
  object->what = LockKind::kOpenMp;
  object->owner = sched.current->tid;
  object->owner_pc = pc;
  object->count = 1;
  object_changed(object);
  note_held(object, pc);
  race_acquire(reinterpret_cast<void*>(object->address));
  note_write();
}

void wait_for(void* lock, std::uint64_t pc) {
  SyncObject* object = sync_object(lock);
  object->what = LockKind::kOpenMp;
  note_wanted(object, false, pc);
  observe_locks(object, false, pc);
  step_when(OpKind::kMutexLock, object, is_free, pc);
}

void give_back(void* lock, std::uint64_t pc) {
  SyncObject* object = sync_object(lock);
  silent_step(OpKind::kMutexUnlock, lock, pc);
  race_release(lock);
  object->owner = kNoTid;
  object->count = 0;
  note_released(object);
  note_write();
  object_changed(object);
}

bool owns(void* lock) { return sync_object(lock)->owner == sched.current->tid; }

}  // namespace
}  // namespace snag::rt

// ---- Critical sections. ----

#define SNAG_SECTION(begin, end, object)  \
  SNAG_INTERPOSE_OPENMP void begin() {    \
    SNAG_OPENMP_REAL(begin);              \
    if (runs_freely()) return native();   \
    const std::uint64_t pc = SNAG_CALLER; \
    const InOpenMp in(pc);                \
    wait_for(&object, pc);                \
    native();                             \
    has_taken(sync_object(&object), pc);  \
  }                                       \
  SNAG_INTERPOSE_OPENMP void end() {      \
    SNAG_OPENMP_REAL(end);                \
    if (runs_freely()) return native();   \
    native();                             \
    give_back(&object, SNAG_CALLER);      \
  }
SNAG_SECTION(GOMP_critical_start, GOMP_critical_end, omp_critical)
SNAG_SECTION(GOMP_atomic_start, GOMP_atomic_end, omp_atomic)

// Named sections: a variable of the program for each name.
SNAG_INTERPOSE_OPENMP void GOMP_critical_name_start(void** section) {
  SNAG_OPENMP_REAL(GOMP_critical_name_start);
  if (runs_freely()) return native(section);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  wait_for(section, pc);
  native(section);
  has_taken(sync_object(section), pc);
}
SNAG_INTERPOSE_OPENMP void GOMP_critical_name_end(void** section) {
  SNAG_OPENMP_REAL(GOMP_critical_name_end);
  if (runs_freely()) return native(section);
  native(section);
  give_back(section, SNAG_CALLER);
}

// libomp's, with a variable of the program for each section.
#define SNAG_LLVM_SECTION(name, parameters, ...)   \
  SNAG_INTERPOSE_OPENMP void name parameters {     \
    SNAG_OPENMP_REAL(name);                        \
    if (runs_freely()) return native(__VA_ARGS__); \
    const std::uint64_t pc = SNAG_CALLER;          \
    wait_for(section, pc);                         \
    native(__VA_ARGS__);                           \
    has_taken(sync_object(section), pc);           \
  }
SNAG_LLVM_SECTION(__kmpc_critical, (void* where, int thread, void* section), where, thread, section)
SNAG_LLVM_SECTION(__kmpc_critical_with_hint,
                  (void* where, int thread, void* section, std::uint32_t hint), where, thread,
                  section, hint)
SNAG_INTERPOSE_OPENMP void __kmpc_end_critical(void* where, int thread, void* section) {
  SNAG_OPENMP_REAL(__kmpc_end_critical);
  if (runs_freely()) return native(where, thread, section);
  native(where, thread, section);
  give_back(section, SNAG_CALLER);
}

// ---- Locks. ----

SNAG_INTERPOSE_OPENMP void omp_set_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_set_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  check_memory(lock, pc);
  wait_for(lock, pc);
  check_memory(lock, pc);
  native(lock);
  has_taken(sync_object(lock), pc);
}
SNAG_INTERPOSE_OPENMP void omp_unset_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_unset_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  check_memory(lock, pc);
  native(lock);
  give_back(lock, pc);
}
SNAG_INTERPOSE_OPENMP int omp_test_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_test_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  check_memory(lock, pc);
  step(OpKind::kMutexTryLock, lock, pc);
  const int taken = native(lock);
  if (taken) {
    has_taken(sync_object(lock), pc);
  } else {
    note_read(pc, reinterpret_cast<std::uint64_t>(lock));
  }
  return taken;
}

SNAG_INTERPOSE_OPENMP void omp_set_nest_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_set_nest_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  check_memory(lock, pc);
  if (owns(lock)) {
    native(lock);
    ++sync_object(lock)->count;
    return;
  }
  wait_for(lock, pc);
  native(lock);
  has_taken(sync_object(lock), pc);
}
SNAG_INTERPOSE_OPENMP void omp_unset_nest_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_unset_nest_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  check_memory(lock, pc);
  native(lock);
  SyncObject* object = sync_object(lock);
  if (object->count > 1) {
    --object->count;
  } else {
    give_back(lock, pc);
  }
}
SNAG_INTERPOSE_OPENMP int omp_test_nest_lock(void* lock) {
  SNAG_OPENMP_REAL(omp_test_nest_lock);
  if (runs_freely()) return native(lock);
  const std::uint64_t pc = SNAG_CALLER;
  const InOpenMp in(pc);
  check_memory(lock, pc);
  step(OpKind::kMutexTryLock, lock, pc);
  const int depth = native(lock);
  if (depth == 1) {
    has_taken(sync_object(lock), pc);
  } else if (depth > 1) {
    ++sync_object(lock)->count;
  } else {
    note_read(pc, reinterpret_cast<std::uint64_t>(lock));
  }
  return depth;
}

// ---- libomp's reductions into the program's variables, one thread after the other. `lock` is a
// variable of the program. ----

#define SNAG_REDUCE(name)                                                                          \
  SNAG_INTERPOSE_OPENMP int name(void* where, int thread, int count, std::size_t size, void* data, \
                                 void (*reduce)(void*, void*), void* lock) {                       \
    SNAG_OPENMP_REAL(name);                                                                        \
    if (runs_freely()) return native(where, thread, count, size, data, reduce, lock);              \
    openmp_step(SNAG_CALLER);                                                                      \
    const int method = native(where, thread, count, size, data, reduce, lock);                     \
    race_acquire(lock);                                                                            \
    return method;                                                                                 \
  }
#define SNAG_REDUCED(name)                                               \
  SNAG_INTERPOSE_OPENMP void name(void* where, int thread, void* lock) { \
    SNAG_OPENMP_REAL(name);                                              \
    if (!runs_freely()) race_release_more(lock);                         \
    native(where, thread, lock);                                         \
  }
SNAG_REDUCE(__kmpc_reduce)
SNAG_REDUCE(__kmpc_reduce_nowait)
SNAG_REDUCED(__kmpc_end_reduce)
SNAG_REDUCED(__kmpc_end_reduce_nowait)
