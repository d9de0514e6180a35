// Implements interpose.h: oneTBB: locks inside libtbb, arenas, and tasks that are suspended.
//
// They synchronise by atomics that are not seen; these functions tell what they mean for the order
// of threads. (libtbb waits for the locks by yields.)
#include <dlfcn.h>

#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"

using namespace snag;
using namespace snag::rt;

namespace {

template <class Function>
Function* tbb_function(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}
#define SNAG_TBB_NATIVE(name) static auto* const native = tbb_function(&::name, #name)

// Beside the lock: its own address may be that of an atomic.
const char* writers_of(const void* lock) { return static_cast<const char*>(lock) + 1; }
const char* sharers_of(const void* lock) { return static_cast<const char*>(lock) + 2; }

void taken(const void* lock, bool writes) {
  if (runs_freely()) return;
  race_acquire(writers_of(lock));
  if (writes) race_acquire(sharers_of(lock));
}
void given_back(const void* lock, bool writes) {
  if (!lock || runs_freely()) return;
  race_release_more(writes ? writers_of(lock) : sharers_of(lock));
}

// A scoped lock begins with the address of its mutex; that of an rtm_rw_mutex has its state next.
struct Scoped {
  const void* mutex;
  int state;
};
const void* mutex_of(const void* scoped) { return static_cast<const Scoped*>(scoped)->mutex; }
bool writes_by_state(const void* scoped) {
  constexpr int kTransactingWriter = 2, kWriter = 4;
  const int state = static_cast<const Scoped*>(scoped)->state;
  return state == kTransactingWriter || state == kWriter;
}

bool is_writer(const void* scoped) {
  using Function = bool(const void*);
  static auto* const native = reinterpret_cast<Function*>(
      dlsym(RTLD_NEXT, "_ZN3tbb6detail2r19is_writerERKNS0_2d116queuing_rw_mutex11scoped_lockE"));
  return mutex_of(scoped) && native(scoped);
}
bool always(const void*) { return true; }

}  // namespace

#define SNAG_TBB_ACQUIRE(name, parameters, writes, ...) \
  SNAG_INTERPOSE void name parameters {                 \
    SNAG_TBB_NATIVE(name);                              \
    native(__VA_ARGS__);                                \
    taken(mutex, writes);                               \
  }
#define SNAG_TBB_TRY(name, parameters, writes, ...) \
  SNAG_INTERPOSE bool name parameters {             \
    SNAG_TBB_NATIVE(name);                          \
    const bool done = native(__VA_ARGS__);          \
    if (done) taken(mutex, writes);                 \
    return done;                                    \
  }
#define SNAG_TBB_RELEASE(name, writes)            \
  SNAG_INTERPOSE void name(void* scoped) {        \
    SNAG_TBB_NATIVE(name);                        \
    given_back(mutex_of(scoped), writes(scoped)); \
    native(scoped);                               \
  }
#define SNAG_TBB_CHANGE(name, writes)             \
  SNAG_INTERPOSE bool name(void* scoped) {        \
    SNAG_TBB_NATIVE(name);                        \
    given_back(mutex_of(scoped), writes(scoped)); \
    const bool kept = native(scoped);             \
    taken(mutex_of(scoped), writes(scoped));      \
    return kept;                                  \
  }

// queuing_rw_mutex
SNAG_TBB_ACQUIRE(_ZN3tbb6detail2r17acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb,
                 (void* mutex, void* scoped, bool writes), writes, mutex, scoped, writes)
SNAG_TBB_TRY(_ZN3tbb6detail2r111try_acquireERNS0_2d116queuing_rw_mutexERNS3_11scoped_lockEb,
             (void* mutex, void* scoped, bool writes), writes, mutex, scoped, writes)
SNAG_TBB_RELEASE(_ZN3tbb6detail2r17releaseERNS0_2d116queuing_rw_mutex11scoped_lockE, is_writer)
SNAG_TBB_CHANGE(_ZN3tbb6detail2r117upgrade_to_writerERNS0_2d116queuing_rw_mutex11scoped_lockE,
                is_writer)
SNAG_TBB_CHANGE(_ZN3tbb6detail2r119downgrade_to_readerERNS0_2d116queuing_rw_mutex11scoped_lockE,
                is_writer)

// speculative_spin_mutex
SNAG_TBB_ACQUIRE(_ZN3tbb6detail2r17acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockEb,
                 (void* mutex, void* scoped, bool speculates), true, mutex, scoped, speculates)
SNAG_TBB_TRY(_ZN3tbb6detail2r111try_acquireERNS0_2d19rtm_mutexERNS3_11scoped_lockE,
             (void* mutex, void* scoped), true, mutex, scoped)
SNAG_TBB_RELEASE(_ZN3tbb6detail2r17releaseERNS0_2d19rtm_mutex11scoped_lockE, always)

// speculative_spin_rw_mutex
SNAG_TBB_ACQUIRE(_ZN3tbb6detail2r114acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb,
                 (void* mutex, void* scoped, bool speculates), true, mutex, scoped, speculates)
SNAG_TBB_ACQUIRE(_ZN3tbb6detail2r114acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockEb,
                 (void* mutex, void* scoped, bool speculates), false, mutex, scoped, speculates)
SNAG_TBB_TRY(_ZN3tbb6detail2r118try_acquire_writerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE,
             (void* mutex, void* scoped), true, mutex, scoped)
SNAG_TBB_TRY(_ZN3tbb6detail2r118try_acquire_readerERNS0_2d112rtm_rw_mutexERNS3_11scoped_lockE,
             (void* mutex, void* scoped), false, mutex, scoped)
SNAG_TBB_RELEASE(_ZN3tbb6detail2r17releaseERNS0_2d112rtm_rw_mutex11scoped_lockE, writes_by_state)
SNAG_TBB_CHANGE(_ZN3tbb6detail2r17upgradeERNS0_2d112rtm_rw_mutex11scoped_lockE, writes_by_state)
SNAG_TBB_CHANGE(_ZN3tbb6detail2r19downgradeERNS0_2d112rtm_rw_mutex11scoped_lockE, writes_by_state)

// ---- task_arena::execute: another thread may do it if the arena is full. ----

namespace {

// Laid out as tbb::detail::d1::delegate_base.
struct Delegate {
  virtual bool operator()() const = 0;

 protected:
  ~Delegate() = default;
  virtual void unused_destructor() {}
  virtual void unused_deleting_destructor() {}
};

struct HandedOver final : Delegate {
  explicit HandedOver(const void* is) : original(is) { race_release(&before); }
  bool operator()() const override {
    race_acquire(&before);
    // (The compiler knows only this one kind of delegate.)
    using Call = bool (*)(const void*);
    const bool result = (*static_cast<const Call* const*>(original))[0](original);
    race_release_more(&after);
    return result;
  }

  const void* original;
  char before = 0, after = 0;
};

}  // namespace

SNAG_INTERPOSE void _ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE(
    void* arena, void* delegate) {
  SNAG_TBB_NATIVE(_ZN3tbb6detail2r17executeERNS0_2d115task_arena_baseERNS2_13delegate_baseE);
  if (runs_freely()) return native(arena, delegate);
  HandedOver handed_over(delegate);
  native(arena, static_cast<Delegate*>(&handed_over));
  race_acquire(&handed_over.after);
}

// ---- Suspended tasks: whoever resumes one comes before what follows in all that are resumed. ----

namespace {

constinit char resumed = 0;

}  // namespace

SNAG_INTERPOSE void _ZN3tbb6detail2r16resumeEPNS1_18suspend_point_typeE(void* point) {
  SNAG_TBB_NATIVE(_ZN3tbb6detail2r16resumeEPNS1_18suspend_point_typeE);
  if (!runs_freely()) race_release_more(&resumed);
  native(point);
}
SNAG_INTERPOSE void _ZN3tbb6detail2r17suspendEPFvPvPNS1_18suspend_point_typeEES2_(
    void (*callback)(void*, void*), void* argument) {
  SNAG_TBB_NATIVE(_ZN3tbb6detail2r17suspendEPFvPvPNS1_18suspend_point_typeEES2_);
  native(callback, argument);
  if (!runs_freely()) race_acquire(&resumed);
}
