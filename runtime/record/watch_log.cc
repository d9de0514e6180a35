// Implements runtime/sched/observer.h: records what predictions need to know about a run, see
// protocol/watch.h.
//
// In the usual case, when an access is nothing new, it costs a few look-ups: its place (a cache of
// call stacks), what its thread did to this word before (a cache per thread), and whether this word
// has seen a similar access (shadow memory).

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "arch/arch.h"
#include "protocol/random.h"
#include "protocol/watch.h"
#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "runtime/base/modules.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

namespace {

constinit WatchLog* log = nullptr;

// Threads beyond this many are ignored, because the records of each take memory.
constexpr std::uint32_t kWatchedThreads = 512;
// Logs at most this many new accesses of one place. A place that iterates over an array logs each
// element; after this many, the rest are most probably used in the same way.
constexpr std::uint32_t kPlaceBudget = 1 << 15;

// ---- The log. ----

void append(const WatchEvent& event) {
  const std::uint64_t count = log->event_count.load(std::memory_order_relaxed);
  if (count >= kWatchEvents) {
    log->left_out.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  log->events[count] = event;
  log->event_count.store(count + 1, std::memory_order_release);
}

// Lists of words in the log, each distinct one once in a run.
class Interned {
 public:
  std::uint32_t add(const std::uint64_t* words, std::uint32_t count) {
    std::uint64_t hash = count;
    for (std::uint32_t i = 0; i < count; ++i) hash = mix64(hash ^ words[i]);
    if (slots_.size() == 0) slots_.resize(kFirstSlots);
    std::size_t slot = hash & (slots_.size() - 1);
    for (; slots_[slot].id != 0; slot = (slot + 1) & (slots_.size() - 1)) {
      if (slots_[slot].hash == hash) return slots_[slot].id;
    }
    const std::uint64_t id = log->word_count.load(std::memory_order_relaxed);
    if (id + count + 1 > kWatchWords) return 0;
    log->words[id] = count;
    for (std::uint32_t i = 0; i < count; ++i) log->words[id + 1 + i] = words[i];
    log->word_count.store(id + count + 1, std::memory_order_release);
    slots_[slot] = {hash, static_cast<std::uint32_t>(id)};
    if (++count_ * 2 > slots_.size()) grow();
    return static_cast<std::uint32_t>(id);
  }

 private:
  static constexpr std::size_t kFirstSlots = 4096;
  struct Slot {
    std::uint64_t hash;
    std::uint32_t id;
  };

  __attribute__((noinline)) void grow() {
    MmapVector<Slot> old;
    old.resize(slots_.size());
    for (std::size_t i = 0; i < slots_.size(); ++i) old[i] = slots_[i];
    slots_.resize(slots_.size() * 4);
    for (Slot& slot : slots_) slot = {};
    for (const Slot& entry : old) {
      if (entry.id == 0) continue;
      std::size_t slot = entry.hash & (slots_.size() - 1);
      while (slots_[slot].id != 0) slot = (slot + 1) & (slots_.size() - 1);
      slots_[slot] = entry;
    }
    old.release();
  }

  MmapVector<Slot> slots_;
  std::size_t count_ = 0;
};
constinit Interned interned;

// ---- Where: a call stack, known by its innermost frames. ----

struct KnownPlace {
  std::uint64_t key;
  std::uint32_t id;
  std::uint32_t logged;  // new accesses there
};
constexpr std::uint32_t kKnownPlaces = 1 << 14;
constinit KnownPlace* known_places = nullptr;

std::uint32_t depth_of(const Thread* t) {
  return t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
}

__attribute__((noinline)) std::uint32_t intern_place(const Thread* t, std::uint64_t pc) {
  std::uint64_t frames[kWatchFrames];
  std::uint32_t count = 0;
  frames[count++] = module_pc(sched.shared, pc);
  for (std::uint32_t i = depth_of(t); i > 0 && count < kWatchFrames; --i)
    frames[count++] = module_pc(sched.shared, t->tables->calls[i - 1]);
  return interned.add(frames, count);
}

KnownPlace& place_of(const Thread* t, std::uint64_t pc) {
  const std::uint32_t depth = depth_of(t);
  std::uint64_t key = pc;
  for (std::uint32_t i = 1; i <= 4 && i <= depth; ++i)
    key = (key ^ t->tables->calls[depth - i]) * 0x9e3779b97f4a7c15;
  KnownPlace& known = known_places[(key ^ (key >> 32)) % kKnownPlaces];
  if (__builtin_expect(known.key != key, 0)) known = {key, intern_place(t, pc), 0};
  return known;
}

// ---- Who: the record of each thread. ----

struct LastAccess {
  std::uint64_t address;
  std::uint32_t place;
  std::uint32_t locks_taken;  // by the thread until then
};
constexpr std::uint32_t kLastAccesses = 1024;

struct Watched {
  std::uint32_t time;
  std::uint32_t locks;  // the list, if it is known
  bool locks_known;
  std::uint32_t locks_taken;
  std::uint32_t taken_as[kMaxHeld];  // what `locks_taken` was when it took those that it holds
  LastAccess last[kLastAccesses];
};
constinit Watched* threads = nullptr;

bool is_watched(const Thread* t) { return t->tid < kWatchedThreads && sched.thread_count > 1; }

std::uint32_t locks_of(Watched& watched, const Thread* t) {
  if (__builtin_expect(watched.locks_known, 1)) return watched.locks;
  std::uint64_t words[3 * kMaxHeld];
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < t->held_count; ++i) {
    const SyncObject* held = t->tables->held[i];
    std::uint64_t frames[kStepFrames];
    std::uint32_t depth = 0;
    const LockPlace& place = places_of(t)[i];
    for (; depth < kStepFrames && place.pcs[depth] != 0; ++depth)
      frames[depth] = module_pc(sched.shared, place.pcs[depth]);
    words[count++] = std::uint64_t{held->number} * 2 + (held->owner != t->tid ? 1 : 0);
    words[count++] = held->address;
    words[count++] = interned.add(frames, depth);
  }
  watched.locks = count == 0 ? 0 : interned.add(words, count);
  watched.locks_known = true;
  return watched.locks;
}

// ---- What is known about each word of memory. ----

constexpr std::uint32_t kTags = 8;
struct WordCell {
  std::uint32_t tags[kTags];
};
constexpr std::uint64_t kLeafShift = 21;  // bytes of memory in a leaf
constexpr std::uint64_t kLeafCells = 1ull << (kLeafShift - 3);
constexpr std::uint64_t kLeaves = 1ull << (kAddressBits - kLeafShift);
constinit WordCell** leaves = nullptr;
// How often the memory of a page (or of another one with the same index) was reused.
constexpr std::uint32_t kGenerations = 1 << 12;
constinit std::uint32_t* generations = nullptr;

std::uint32_t& generation(std::uint64_t address) {
  return generations[(address >> 12) % kGenerations];
}

WordCell& cell_of(std::uint64_t address) {
  WordCell*& leaf = leaves[(address >> kLeafShift) & (kLeaves - 1)];
  if (__builtin_expect(leaf == nullptr, 0)) leaf = map_private<WordCell>(kLeafCells);
  return leaf[(address >> 3) & (kLeafCells - 1)];
}

// Words that are accessed in more ways than fit into their cells.
constexpr std::uint32_t kOverflow = 1 << 16;
constinit std::uint64_t* overflow = nullptr;

// ---- The events. ----

void open_log(int descriptor) {
  struct stat info {};
  SNAG_CHECK(fstat(descriptor, &info) == 0 && info.st_size >= static_cast<off_t>(sizeof(WatchLog)),
             "the file for watched events does not exist");
  void* memory = mmap(nullptr, sizeof(WatchLog), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      descriptor, 0);
  SNAG_CHECK(memory != MAP_FAILED, "no memory for watched events");
  raw_syscall(SYS_close, descriptor);
  log = static_cast<WatchLog*>(memory);
  SNAG_CHECK(log->magic == kWatchMagic && log->version == kWatchVersion,
             "the file for watched events has another version");
  known_places = map_private<KnownPlace>(kKnownPlaces);
  threads = map_private<Watched>(kWatchedThreads);
  leaves = map_leaf_table<WordCell>(kLeaves, CacheColour::kWatching);
  generations = map_private<std::uint32_t>(kGenerations);
  overflow = map_private<std::uint64_t>(kOverflow);
}

void note_access(const volatile void* address, std::uint64_t size, std::uint8_t flags,
                 std::uint64_t pc) {
  const Thread* t = sched.current;
  if (!is_watched(t)) return;  // this thread creates all later threads
  log->accesses.store(log->accesses.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  Watched& watched = threads[t->tid];
  KnownPlace& place = place_of(t, pc);
  LastAccess& last = watched.last[(begin >> 2) % kLastAccesses];
  const bool known = last.address == begin;
  const std::uint32_t previous = known ? last.place : 0;
  std::uint32_t kept = 0;
  if (known) {
    while (kept < t->held_count && watched.taken_as[kept] <= last.locks_taken) ++kept;
  }
  last = {begin, place.id, watched.locks_taken};
  const std::uint32_t locks = locks_of(watched, t);
  const std::uint64_t what = std::uint64_t{place.id} << 32 | previous;
  const std::uint64_t how = std::uint64_t{locks} << 32 ^ std::uint64_t{t->tid} << 48 ^
                            std::uint64_t{watched.time} << 20 ^ generation(begin) << 8 ^ kept << 3 ^
                            (begin & 7);
  std::uint64_t key = what * 0x9e3779b97f4a7c15 ^ (how + 1) * 0xd6e8feb86659fd93;
  key ^= key >> 29;
  key *= 0xbf58476d1ce4e5b9;
  std::uint32_t& tag = cell_of(begin).tags[(key >> 29) % kTags];
  const auto mine = static_cast<std::uint32_t>(key >> 32) | 1;
  if (__builtin_expect(tag == mine, 1)) return;
  if (tag != 0) {
    const std::uint64_t full = mix64(key ^ begin);
    std::uint64_t& seen = overflow[full % kOverflow];
    if (seen == full) return;
    seen = full;
  }
  tag = mine;
  if (place.logged++ >= kPlaceBudget) {
    log->left_out.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  append({begin, place.id, previous, locks, kept, static_cast<std::uint32_t>(size), watched.time,
          t->tid, WatchKind::kAccess, flags, watched.locks_taken});
}

void note_free(const void* block, std::uint64_t size, std::uint64_t pc) {
  const Thread* t = sched.current;
  if (!is_watched(t)) return;
  KnownPlace& place = place_of(t, pc);
  if (place.logged++ >= kPlaceBudget) {
    log->left_out.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Watched& watched = threads[t->tid];
  WatchEvent event{};
  event.kind = WatchKind::kFree;
  event.flags = kWatchWrite;
  event.thread = t->tid;
  event.time = watched.time;
  event.address = reinterpret_cast<std::uint64_t>(block);
  event.size = static_cast<std::uint32_t>(size < UINT32_MAX ? size : UINT32_MAX);
  event.place = place.id;
  event.locks = locks_of(watched, t);
  append(event);
}

void note_want(const SyncObject* lock, bool shared, std::uint64_t pc) {
  const Thread* t = sched.current;
  // A thread that holds more locks than were recorded may hold a gate lock that was not.
  if (!is_watched(t) || t->held_count == 0 || t->held_lost != 0 || holds(t, lock)) return;
  Watched& watched = threads[t->tid];
  const std::uint32_t place = place_of(t, pc).id;
  const std::uint32_t locks = locks_of(watched, t);
  const std::uint64_t key =
      mix64(mix64(std::uint64_t{place} << 32 | locks) ^
            (std::uint64_t{lock->number} << 32 | std::uint64_t{t->tid} << 16 | watched.time));
  std::uint64_t& seen = overflow[key % kOverflow];
  if (seen == key) return;
  seen = key;
  WatchEvent event{};
  event.address = lock->number;
  event.place = place;
  event.locks = locks;
  event.time = watched.time;
  event.thread = t->tid;
  event.kind = WatchKind::kWant;
  event.flags = shared ? kWatchShared : 0;
  append(event);
}

void note_locked() {
  const Thread* t = sched.current;
  if (t->tid >= kWatchedThreads) return;
  Watched& watched = threads[t->tid];
  watched.locks_known = false;
  watched.taken_as[t->held_count - 1] = ++watched.locks_taken;
}

void note_unlocked(std::uint32_t index) {
  const Thread* t = sched.current;
  if (t->tid >= kWatchedThreads) return;
  Watched& watched = threads[t->tid];
  watched.locks_known = false;
  for (std::uint32_t i = index; i + 1 < t->held_count; ++i)
    watched.taken_as[i] = watched.taken_as[i + 1];
}

void note_fresh(const void* address, std::uint64_t size) {
  if (sched.thread_count == 1) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t pages = (size >> 12) + 1;
  for (std::uint64_t i = 0; i < pages && i < kGenerations; ++i) ++generation(begin + (i << 12));
  WatchEvent event{};
  event.kind = WatchKind::kFresh;
  event.thread = sched.current->tid;
  event.address = begin;
  event.size = size < UINT32_MAX ? static_cast<std::uint32_t>(size) : UINT32_MAX;
  append(event);
}

void note_created(const Thread* child) {
  const Thread* t = sched.current;
  if (t->tid >= kWatchedThreads || child->tid >= kWatchedThreads) return;
  WatchEvent event{};
  event.kind = WatchKind::kCreate;
  event.thread = t->tid;
  event.address = child->tid;
  event.time = threads[t->tid].time++;
  append(event);
  note_fresh(reinterpret_cast<void*>(child->context->stack_begin), child->context->stack_size);
}

void note_joined(const Thread* ended) {
  const Thread* t = sched.current;
  if (t->tid >= kWatchedThreads || ended->tid >= kWatchedThreads) return;
  WatchEvent event{};
  event.kind = WatchKind::kJoin;
  event.thread = t->tid;
  event.address = ended->tid;
  event.time = threads[t->tid].time++;
  append(event);
}

class WatchObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    if (shared->config.watch_fd == 0) return 0;
    open_log(shared->config.watch_fd);
    // Needs no event for each step, but the places where locks were taken.
    return kObservesSteps | kObservesAccesses | kObservesLocks | kObservesMemory |
           kObservesGuardedMemory;
  }
  void begin_run(const Shared* shared, bool) override {
    if (!log) return;
    WatchEvent event{};
    event.kind = WatchKind::kRunBegin;
    event.address = shared->run.number;
    append(event);
  }

  void accessed(AccessKind kind, const volatile void* address, std::uint64_t size,
                std::uint64_t pc) override {
    const int flags = (reads(kind) ? kWatchRead : 0) | (writes(kind) ? kWatchWrite : 0) |
                      (is_atomic(kind) ? kWatchAtomic : 0);
    note_access(address, size, static_cast<std::uint8_t>(flags), pc);
  }

  void allocated(const void* begin, std::uint64_t size, bool) override { note_fresh(begin, size); }
  void freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
             bool) override {
    if (!by_owner) note_free(begin, size, pc);
  }

  void thread_created(const Thread* child) override { note_created(child); }
  void thread_joined(const Thread* ended) override { note_joined(ended); }

  void locks(const SyncObject* lock, bool shared, std::uint64_t pc) override {
    note_want(lock, shared, pc);
  }
  void locked(const SyncObject*, std::uint32_t index, std::uint64_t) override {
    if (index != kMaxHeld) note_locked();
  }
  void unlocked(const SyncObject*, std::uint32_t index) override {
    if (index != kMaxHeld) note_unlocked(index);
  }
};

constinit WatchObserver observer;

}  // namespace

Observer* watch_observer() { return &observer; }

}  // namespace snag::rt
