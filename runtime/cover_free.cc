// Measuring a program that runs freely: its threads, and their accesses.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/arena.h"
#include "runtime/cover.h"
#include "runtime/cover_methods.h"
#include "runtime/cover_places.h"
#include "runtime/cover_record.h"
#include "runtime/cover_sync.h"
#include "runtime/real.h"

namespace snag::rt {

constinit CoverEntry no_entries[kCoverEntries]{};
constinit thread_local CoverThread cover_thread{no_entries, nullptr, 0,     nullptr, /*epoch=*/1,
                                                0,          false,   false, false};

namespace {

constinit std::atomic<std::uint32_t> next_thread{0};

// Memory of threads that have ended, for the next ones.
constinit std::atomic_flag free_lock = ATOMIC_FLAG_INIT;
constinit CoverMemory* free_memory = nullptr;
constinit pthread_key_t end_key{};

CoverMemory* take_memory() {
  CoverMemory* memory = nullptr;
  if (!free_lock.test_and_set(std::memory_order_acquire)) {
    memory = free_memory;
    if (memory) free_memory = memory->next_free;
    free_lock.clear(std::memory_order_release);
  }
  return memory ? memory : map_private<CoverMemory>(1);
}

void add_calls(CoverThread& t) {
  cover_tables.store()->calls.fetch_add(t.calls, std::memory_order_relaxed);
  t.calls = 0;
}

void give_back(void* opaque) {
  auto* memory = static_cast<CoverMemory*>(opaque);
  CoverThread& t = cover_thread;
  t.entries = no_entries;
  t.memory = nullptr;
  if (t.stack) t.stack->is_live = 0;
  add_calls(t);
  // What it remembers is of another thread than the next one.
  madvise(memory, sizeof *memory, MADV_DONTNEED);
  // Whoever cannot have the lock at once leaves the memory to nobody: it is not worth waiting for.
  if (free_lock.test_and_set(std::memory_order_acquire)) {
    munmap(memory, sizeof *memory);
    return;
  }
  memory->next_free = free_memory;
  free_memory = memory;
  free_lock.clear(std::memory_order_release);
}

// The calling thread is there; false if it does not count.
bool enter_thread(CoverThread& t) {
  if (!t.has_number) {
    t.has_number = true;
    const std::uint32_t number = next_thread.fetch_add(1, std::memory_order_relaxed);
    CoverStore* store = cover_tables.store();
    if (number >= kMaxCoverThreads) {
      t.is_lost = true;
      store->lost_threads.fetch_add(1, std::memory_order_relaxed);
    } else {
      t.bits = number << kThreadShift;
      store->thread_count.store(number + 1, std::memory_order_relaxed);
    }
  }
  if (t.is_lost) return false;
  t.memory = take_memory();
  t.entries = t.memory->entries;
  pthread_setspecific(end_key, t.memory);
  if (cover_stacks_on) {
    t.stack = cover_stack(t.bits >> kThreadShift);
    t.stack->is_live = 1;
  }
  return true;
}

// While it lives, this thread is in the recorder. False: it already was, or does not count.
class Inside {
 public:
  Inside() : thread_(cover_thread), entered_(!thread_.is_busy) {
    if (!entered_) return;
    thread_.is_busy = true;
    ready_ = thread_.memory || enter_thread(thread_);
  }
  ~Inside() {
    if (entered_) thread_.is_busy = false;
  }
  explicit operator bool() const { return ready_; }
  CoverThread* operator->() const { return &thread_; }
  CoverThread& operator*() const { return thread_; }

 private:
  CoverThread& thread_;
  const bool entered_;
  bool ready_ = false;
};

// The entry of an instruction, with what is needed to go on; null if it is not measured.
CoverEntry* known_entry(const CoverThread& t, std::uint64_t pc, std::uint64_t tag,
                        std::uint32_t kind) {
  CoverEntry* entry = cover_entry(tag);
  if (__builtin_expect(entry->pc == tag, 1)) return entry;
  CoverCallers callers;
  if (t.stack) {
    // Who calls, and who is active meanwhile, may be different each time: nothing is remembered.
    callers = t.stack->callers();
    cover_act(t.stack);
    entry = &t.memory->unknown;
  }
  const std::uint32_t location = cover_location(pc, callers, seen_of(kind));
  if (location == 0) return nullptr;
  entry->access_key = key_of(t.bits | kind << kKindShift | location);
  // What is never found: there is no change yet.
  for (auto& change : entry->changes) change = {kNoWords, kNoWords};
  if (!t.stack) entry->pc = tag;
  return entry;
}

// In this order: a signal handler may come in the middle. (A change to what the same access leaves
// as it is is always right.)
void set_change(CoverEntry::Change& change, std::uint64_t from, std::uint64_t to) {
  change.from = kNoWords;
  asm volatile("" ::: "memory");
  change.to = to;
  asm volatile("" ::: "memory");
  // (What changes nothing is known by `to`, and is not stored.)
  if (from != to) change.from = from;
}

CoverPast& past_of(const CoverEntry* entry) {
  CoverMemory* memory = cover_thread.memory;
  return memory->pasts[entry - memory->entries];
}

void remember(CoverEntry* entry, std::uint64_t found, std::uint64_t to) {
  std::uint32_t& turn = cover_thread.memory->turn;
  turn = turn >= 2 ? 0 : turn + 1;
  set_change(entry->changes[turn], found, to);
}

// An instruction that finds something else each time is better off without changes: no processor
// can guess which of them it will be. When kPatience were missing, the next kTrial accesses show
// how many changes would be right; if fewer than kEnough, there are none until kWhile. (A guess
// that is wrong costs about as much as a look at the transitions; so three of four have to be
// right.)
constexpr std::uint32_t kPatience = 256, kTrial = 32, kEnough = 24, kWhile = 8192;

// The entry has no change from `word`; false: it should have one.
[[gnu::always_inline]] inline bool passed_over(CoverEntry* entry, CoverWord word) {
  CoverPast& past = past_of(entry);
  const std::uint32_t lookup = past.lookups++;
  if (lookup < kPatience) return false;
  if (lookup == kPatience) {
    for (auto& change : entry->changes) set_change(change, kNoWords, kNoWords);
    past.fitting = 0;
  }
  if (lookup < kPatience + kTrial) {
    if (word == past.recent[0] || word == past.recent[1] || word == past.recent[2]) {
      ++past.fitting;
    } else {
      past.recent[lookup % 3] = word;
    }
  } else if (past.fitting >= kEnough || lookup >= kWhile) {
    past.lookups = 0;
    past.fitting = 0;
  }
  return true;
}

// A change that is not among the last ones of the instruction, but one that this thread remembers.
template <class Words>
[[gnu::always_inline]] inline bool change_as_before(CoverEntry* entry, std::uint64_t address) {
  if ((address & (sizeof(Words) - 1)) != 0) return false;
  auto* cell = reinterpret_cast<Words*>(cover_shadow(address));
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto word = static_cast<CoverWord>(found);
  if (sizeof(Words) == 8 && word != static_cast<CoverWord>(std::uint64_t{found} >> 32))
    return false;
  CoverMemory* memory = cover_thread.memory;
  const std::uint64_t key = std::uint64_t{word} << 32 | entry->access();
  const CoverTransition& known = *cover_transition(memory->transitions, key);
  if (known.key != key) return false;
  const auto to = static_cast<Words>(std::uint64_t{known.to} << 32 | known.to);
  if (known.is_shared_read) {
    *cover_read(memory->reads, entry->access_key, address) =
        cover_reading(entry->access_key, address, cover_thread.epoch, found);
    if (past_of(entry).lookups <= kPatience) remember(entry, kNoWords, to);
  } else if (!passed_over(entry, word)) {
    remember(entry, found, to);
  }
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

// The part of the hot path that is not: what is found is not among the last changes.
template <class Words>
bool change_words(CoverEntry* entry, CoverRecorder& recorder, std::uint64_t address) {
  auto* cell = reinterpret_cast<Words*>(cover_shadow(address));
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto low = static_cast<CoverWord>(found);
  const auto high = sizeof(Words) == 8 ? static_cast<CoverWord>(std::uint64_t{found} >> 32) : low;
  if (low == kSplitWord || high == kSplitWord) return false;
  const CoverWord low_to = recorder.next(low, address);
  const CoverWord high_to = high == low ? low_to : recorder.next(high, address + 4);
  const auto to = static_cast<Words>(std::uint64_t{high_to} << 32 | low_to);
  const bool is_shared_read = cover_states.is_shared_read(low, entry->access());
  remember(entry, is_shared_read ? kNoWords : found, to);
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

// An access by a thread too many: what somebody else does next is not next to what was before.
void forget_if_lost(const volatile void* address, std::uint64_t size) {
  if (cover_thread.is_lost) cover_forget(const_cast<const void*>(address), size);
}

void record_block(CoverEntry* entry, CoverRecorder& recorder, std::uint64_t begin,
                  std::uint64_t end) {
  const std::uint32_t kind = entry->access() >> kKindShift & (kReads | kWrites);
  while (begin < end) {
    const bool whole = (begin & 7) == 0 && end - begin >= 8;
    if (whole && cover_known<std::uint64_t>(entry, begin, kind)) {
      begin += 8;
      continue;
    }
    std::uint64_t next = (begin & ~std::uint64_t{7}) + 8;
    if (next > end) next = end;
    if (!whole || !change_words<std::uint64_t>(entry, recorder, begin))
      recorder.record(begin, next - begin);
    begin = next;
  }
}

}  // namespace

bool init_cover_threads() { return pthread_key_create(&end_key, give_back) == 0; }

__attribute__((noinline)) void cover_slowly(const volatile void* address, std::uint64_t size,
                                            std::uint32_t kind, std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  CoverEntry* entry = cover_entry(pc);
  if (entry->pc == pc) {
    if (size == 8 && change_as_before<std::uint64_t>(entry, a)) return;
    if (size == 4 && change_as_before<std::uint32_t>(entry, a)) return;
  }
  const Inside thread;
  if (!thread) return forget_if_lost(address, size);
  entry = known_entry(*thread, pc, pc, kind);
  if (!entry) return;
  CoverRecorder recorder(thread->memory->transitions, entry->access());
  if (size == 8 && (a & 7) == 0 && change_words<std::uint64_t>(entry, recorder, a)) return;
  if (size == 4 && (a & 3) == 0 && change_words<std::uint32_t>(entry, recorder, a)) return;
  if (size == 16) return record_block(entry, recorder, a, a + 16);
  recorder.record(a, size);
}

void cover_range(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                 std::uint64_t pc) {
  const Inside thread;
  if (!thread) return forget_if_lost(address, size);
  if (size == 0) return;
  // A copy reads and writes at the same place: two entries. (The next call is 5 bytes away.)
  CoverEntry* entry = known_entry(*thread, pc, kind == kReads ? pc : pc + 4, kind);
  if (!entry) return;
  CoverRecorder recorder(thread->memory->transitions, entry->access());
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  record_block(entry, recorder, begin, begin + size);
}

void cover_atomic(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc) {
  cover_learns();
  cover_range(address, size, kind, pc);
  if (const CoverMemory* memory = cover_thread.memory) {
    const CoverEntry* entry = cover_entry(kind == kReads ? pc : pc + 4);
    if (cover_thread.stack) entry = &memory->unknown;
    const std::uint32_t location = entry->access() & kLocationMask;
    if (location != 0) cover_tables.see(location, kSeenAtomic);
  }
}

// ---- Functions. ----

void cover_begin(std::uint64_t pc, std::uint64_t caller) {
  CoverThread& t = cover_thread;
  const bool known = cover_entry(pc)->pc == pc;
  if ((++t.calls & 1023) != 0 && known && !t.stack) return;
  const Inside thread;
  if (!thread) return;
  add_calls(t);
  if (t.stack) return cover_begin_method(t.stack, pc, caller);
  cover_method(pc, {});
  // An entry without changes, so that it is known next time.
  CoverEntry* entry = cover_entry(pc);
  for (auto& change : entry->changes) change = {kNoWords, kNoWords};
  entry->access_key = 0;
  entry->pc = pc;
}

void cover_end() {
  if (CoverStack* stack = cover_thread.stack) cover_end_method(stack);
}

std::uint32_t cover_depth() {
  const CoverStack* stack = cover_thread.stack;
  return stack ? stack->depth : 0;
}

void cover_jump(std::uint64_t depth) {
  CoverStack* stack = cover_thread.stack;
  if (stack && depth <= stack->depth) stack->depth = static_cast<std::uint32_t>(depth);
}

void cover_forked() {
  if (cover_stacks_on) cover_keep_stack(cover_thread.stack);
}

// ---- Locks. ----

std::uint32_t cover_lock_place(std::uint64_t pc) {
  const Inside thread;
  if (!thread) return 0;
  cover_act(thread->stack);
  const std::uint32_t place = cover_call_location(pc, thread->stack->callers());
  if (place != 0) cover_tables.see(place, kSeenLock);
  return place;
}

namespace {

struct Start {
  void* (*start)(void*);
  int (*start_c11)(void*);
  void* argument;
};

void forget_stack() {
  const Inside thread;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) cover_forget(begin, size);
  pthread_attr_destroy(&attributes);
}

// (Reports leave out frames with such names.)
void* __snag_start_thread(void* opaque) {
  const Start start = *static_cast<Start*>(opaque);
  free(opaque);
  forget_stack();
  if (start.start) return start.start(start.argument);
  return reinterpret_cast<void*>(static_cast<std::intptr_t>(start.start_c11(start.argument)));
}

}  // namespace

int cover_create_thread(pthread_t* handle, const pthread_attr_t* attributes, void* (*start)(void*),
                        int (*start_c11)(void*), void* argument) {
  auto* record = static_cast<Start*>(malloc(sizeof(Start)));
  if (!record) return EAGAIN;
  *record = {start, start_c11, argument};
  const int error = real.pthread_create(handle, attributes, __snag_start_thread, record);
  if (error != 0) free(record);
  return error;
}

}  // namespace snag::rt
