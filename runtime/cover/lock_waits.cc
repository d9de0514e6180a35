#include "runtime/cover/lock_waits.h"

#include "runtime/base/arena.h"
#include "runtime/cover/method_pairs.h"

namespace snag::rt {

constinit bool cover_locks_on = false;

namespace {

enum class How : std::uint8_t { kNone, kShared, kExclusive };

How how_of(OpKind kind) {
  switch (kind) {
    case OpKind::kMutexLock:
    case OpKind::kMutexTimedLock:
    case OpKind::kRwWriteLock:
    case OpKind::kSpinLock:
      return How::kExclusive;
    case OpKind::kRwReadLock:
      return How::kShared;
    default:
      return How::kNone;
  }
}

// ---- Under control. ----

struct Hold {
  std::uint64_t lock;
  Tid thread;
  How how;
  std::uint32_t place;
};
constinit MmapVector<Hold> held_now;

std::uint32_t place_of(const Thread* t, std::uint64_t pc) {
  if (t->tid >= kMaxCoverThreads) return 0;
  const std::uint32_t place = cover_call_location(pc, cover_stack(t->tid)->callers());
  if (place != 0) cover_tables.see(place, kSeenLock);
  return place;
}

void record_blocking(const Hold& holder, const Hold& waiter) {
  if (holder.thread == waiter.thread) return;
  if (holder.how == How::kShared && waiter.how == How::kShared) return;
  cover_lock_waited(holder.place, waiter.place);
}

void drop(std::size_t index) {
  for (std::size_t i = index + 1; i < held_now.size(); ++i) held_now[i - 1] = held_now[i];
  held_now.pop_back();
}

// ---- Running freely. ----

// Where locks were taken, by their addresses; the newest stays.
struct Taken {
  const volatile void* lock;
  std::uint32_t place;
};
constexpr std::uint64_t kMaxTaken = 1 << 12;
constinit Taken taken[kMaxTaken]{};

Taken* taken_of(const volatile void* lock) {
  return &taken[mix_hash(reinterpret_cast<std::uint64_t>(lock)) % kMaxTaken];
}

}  // namespace

void cover_want_lock(const Thread* t, OpKind kind, const SyncObject* lock, std::uint64_t pc) {
  const How how = how_of(kind);
  if (how == How::kNone) return;
  const Hold waiter{lock->address, t->tid, how, place_of(t, pc)};
  for (const Hold& holder : held_now) {
    if (holder.lock == lock->address) record_blocking(holder, waiter);
  }
}

void cover_got_lock(const SyncObject* lock, std::uint64_t pc) {
  const Thread* t = sched.current;
  const Hold hold{lock->address, t->tid, lock->owner == t->tid ? How::kExclusive : How::kShared,
                  place_of(t, pc)};
  if (hold.how == How::kExclusive) {
    // Its holder has ended.
    for (std::size_t i = held_now.size(); i-- > 0;) {
      if (held_now[i].lock == lock->address) drop(i);
    }
  }
  held_now.push_back(hold);
  const Thread* first = lock->waiters;
  for (const Thread* w = first; w; w = w->next_waiter == first ? nullptr : w->next_waiter) {
    const Op& op = sched.pending[w->tid];
    const How how = how_of(op.kind);
    if (w != t && how != How::kNone)
      record_blocking(hold, {lock->address, w->tid, how, place_of(w, op.pc)});
  }
}

void cover_released_lock(const SyncObject* lock) {
  std::size_t found = held_now.size();
  for (std::size_t i = held_now.size(); i-- > 0;) {
    if (held_now[i].lock != lock->address) continue;
    found = i;
    if (held_now[i].thread == sched.current->tid) break;
  }
  if (found < held_now.size()) drop(found);
}

void cover_lock_waited(std::uint32_t holder, std::uint32_t place) {
  if (place != 0) cover_tables.see(place, kSeenBlocked);
  if (holder != 0) cover_tables.see(holder, kSeenBlocking);
}

std::uint32_t cover_lock_holder(const volatile void* lock) {
  const Taken* entry = taken_of(lock);
  return __atomic_load_n(&entry->lock, __ATOMIC_ACQUIRE) == lock
             ? __atomic_load_n(&entry->place, __ATOMIC_RELAXED)
             : 0;
}

void cover_lock_dropped(const volatile void* lock) {
  Taken* entry = taken_of(lock);
  if (__atomic_load_n(&entry->lock, __ATOMIC_RELAXED) == lock)
    __atomic_store_n(&entry->lock, nullptr, __ATOMIC_RELEASE);
}

void cover_lock_taken(const volatile void* lock, std::uint32_t place) {
  Taken* entry = taken_of(lock);
  __atomic_store_n(&entry->lock, nullptr, __ATOMIC_RELEASE);
  __atomic_store_n(&entry->place, place, __ATOMIC_RELEASE);
  __atomic_store_n(&entry->lock, lock, __ATOMIC_RELEASE);
}

}  // namespace snag::rt
