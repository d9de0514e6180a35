// Implements cover.h: a program that runs freely, its threads and their accesses.
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/cover/cover.h"
#include "runtime/cover/group_check.h"
#include "runtime/cover/inline_cache.h"
#include "runtime/cover/lock_waits.h"
#include "runtime/cover/method_pairs.h"
#include "runtime/cover/place_numbers.h"
#include "runtime/cover/recorder.h"

namespace snag::rt {

constinit CoverEntry no_entries[kCoverEntries]{};
[[gnu::tls_model("local-exec")]] constinit thread_local CoverThread cover_thread{
    no_entries, nullptr, 0, nullptr, 0, false, false, false};

namespace {

constinit std::atomic<std::uint32_t> next_thread{0};

// What threads that have ended leave for later ones.
class Heritage {
 public:
  // Null if there is none.
  CoverMemory* take_memory() {
    const Lock lock(this);
    if (!lock || !memory_) return nullptr;
    CoverMemory* memory = memory_;
    memory_ = memory->next_free;
    --memories_;
    return memory;
  }
  // False if there are enough.
  bool leave_memory(CoverMemory* memory) {
    const Lock lock(this);
    if (!lock || memories_ == kMaxMemories) return false;
    memory->next_free = memory_;
    memory_ = memory;
    ++memories_;
    return true;
  }

  // The number that has been unused for the longest time; kMaxCoverThreads if there is none.
  std::uint32_t take_number() {
    const Lock lock(this);
    if (!lock || numbers_ == 0) return kMaxCoverThreads;
    const std::uint32_t number = number_[first_number_];
    first_number_ = (first_number_ + 1) % kMaxCoverThreads;
    --numbers_;
    return number;
  }
  void leave_number(std::uint32_t number) {
    const Lock lock(this);
    if (!lock || numbers_ == kMaxCoverThreads) return;
    number_[(first_number_ + numbers_) % kMaxCoverThreads] = static_cast<std::uint16_t>(number);
    ++numbers_;
  }

 private:
  // A program that has had many threads at a time may never have them again.
  static constexpr std::uint32_t kMaxMemories = 64;
  // The lock may be held by a thread that did not survive the fork of this process.
  static constexpr int kLockAttempts = 1000;

  class Lock {
   public:
    explicit Lock(Heritage* of) : of_(of) {
      for (int i = 0; !has_ && i < kLockAttempts; ++i) {
        has_ = !of->lock_.test_and_set(std::memory_order_acquire);
        if (!has_) sched_yield();
      }
    }
    ~Lock() {
      if (has_) of_->lock_.clear(std::memory_order_release);
    }
    explicit operator bool() const { return has_; }

   private:
    Heritage* of_;
    bool has_ = false;
  };

  std::atomic_flag lock_ = ATOMIC_FLAG_INIT;
  CoverMemory* memory_ = nullptr;
  std::uint32_t memories_ = 0, first_number_ = 0, numbers_ = 0;
  std::uint16_t number_[kMaxCoverThreads]{};
};
constinit Heritage heritage;
constinit pthread_key_t end_key{};

void add_calls(CoverThread& t) {
  cover_tables.store()->calls.fetch_add(t.calls, std::memory_order_relaxed);
  t.calls = 0;
}

void give_back(void* opaque) {
  auto* memory = static_cast<CoverMemory*>(opaque);
  CoverThread& t = cover_thread;
  t.is_busy = true;  // what a signal handler does meanwhile is not measured
  t.entries = no_entries;
  __snag_thread.memos = no_memos;
  t.memory = nullptr;
  if (t.stack) t.stack->is_live = 0;
  add_calls(t);
  // It holds the records of another thread. (Locked memory cannot be cleared this way.)
  const bool is_new = memory->forget() || madvise(memory, sizeof *memory, MADV_DONTNEED) == 0;
  if (!is_new || !heritage.leave_memory(memory)) munmap(memory, sizeof *memory);
  heritage.leave_number(t.bits >> kThreadShift);
  t.is_busy = false;
}

void take_number(CoverThread& t) {
  t.has_number = true;
  std::uint32_t number = next_thread.fetch_add(1, std::memory_order_relaxed);
  CoverStore* store = cover_tables.store();
  // A distinct number for what it has read: the memory may come from a thread that has read the
  // same.
  __snag_thread.epoch = mix_hash(number);
  if (number < kMaxCoverThreads) {
    store->thread_count.store(number + 1, std::memory_order_relaxed);
  } else {
    number = heritage.take_number();
  }
  t.is_lost = number >= kMaxCoverThreads;
  if (t.is_lost) {
    store->lost_threads.fetch_add(1, std::memory_order_relaxed);
  } else {
    t.bits = number << kThreadShift;
    if (cover_stacks_on) cover_stack(number)->depth = 0;
  }
}

// Registers the calling thread; false if it does not count.
bool enter_thread(CoverThread& t) {
  if (!t.has_number) take_number(t);
  if (t.is_lost) return false;
  CoverMemory* memory = heritage.take_memory();
  t.memory = memory ? memory : map_private<CoverMemory>(1);
  t.entries = t.memory->entries;
  __snag_thread.memos = t.memory->memos;
  __snag_thread.reads = t.memory->group_reads;
  pthread_setspecific(end_key, t.memory);
  if (cover_stacks_on) {
    t.stack = cover_stack(t.bits >> kThreadShift);
    t.stack->is_live = 1;
  }
  return true;
}

// While it lives, this thread is in the recorder. False if it already was, or does not count.
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

CoverSelf self_of(CoverMemory* memory, CoverAccess access) {
  const std::uint32_t number = cover_states.number(access);
  if (number == 0) return {access, 0, kCoverBlocks, 0};
  const std::uint32_t first = number & ~(kNumberBlock - 1);
  for (std::uint32_t block = 0; block < kCoverBlocks; ++block) {
    std::uint32_t& known = memory->block_numbers[block];
    if (known == 0) known = first;
    if (known == first)
      return {access, static_cast<std::uint16_t>(number), static_cast<std::uint8_t>(block), 0};
  }
  return {access, 0, kCoverBlocks, 0};
}

// Returns an entry, filled in as far as the caller needs; null if the instruction is not measured.
CoverEntry* know_entry(const CoverThread& t, CoverEntry* entry, std::uint64_t pc, std::uint64_t tag,
                       std::uint32_t kind) {
  if (__builtin_expect(entry->tag() == tag, 1)) return entry;
  CoverCallers callers;
  if (t.stack) {
    // The callers and the functions of other threads may differ each time: nothing is cached.
    callers = t.stack->callers();
    cover_act(t.stack);
    entry = &t.memory->unknown;
  }
  const std::uint32_t location = cover_location(pc, callers, seen_of(kind));
  if (location == 0) return nullptr;
  const CoverAccess access = t.bits | kind << kKindShift | location;
  if (!t.stack) t.memory->use(entry);
  // In this order: a signal handler may come in the middle.
  entry->pc = 0;
  asm volatile("" ::: "memory");
  const std::uint64_t index = static_cast<std::uint64_t>(entry - t.memory->entries);
  if (index < kCoverEntries) t.memory->pasts[index] = {};
  // kNoWords is never found: the cache is empty.
  for (auto& change : entry->changes) set_change(change, kNoWords, kNoWords);
  entry->access_key = key_of(self_of(t.memory, access));
  asm volatile("" ::: "memory");
  if (!t.stack) entry->pc = tag;
  return entry;
}

// ---- Finding the words of an access. ----

template <class Words>
Words* cell_of(std::uint64_t address) {
  return reinterpret_cast<Words*>(cover_shadow(address));
}

// An access by a thread that is not recorded: the next access by another thread does not directly
// follow the one before.
void forget_if_lost(const volatile void* address, std::uint64_t size) {
  if (cover_thread.is_lost) cover_forget(const_cast<const void*>(address), size);
}

// Each part of the memory, 8 or 4 bytes or what is left until then, by an entry of its own.
template <class EntryOf>
[[gnu::always_inline]] inline void record_parts(std::uint64_t begin, std::uint64_t end,
                                                std::uint32_t kind, EntryOf entry_of) {
  CoverPast past{};
  std::uint64_t from = kNoWords, to = kNoWords;  // mostly neighbours have the same history
  for (std::uint64_t part = 0; begin < end; ++part) {
    const std::uint64_t left = end - begin;
    if ((begin & 7) == 0 && left >= 8) {
      auto* cell = cell_of<std::uint64_t>(begin);
      const std::uint64_t found = __atomic_load_n(cell, __ATOMIC_RELAXED);
      if (found == from) {
        __atomic_store_n(cell, to, __ATOMIC_RELAXED);
        begin += 8;
        continue;
      }
      CoverEntry* entry = entry_of(part);
      if (!entry) return;
      const auto* change = entry->changes;
      while (change != entry->changes + 3 && change->from != found) ++change;
      if (change != entry->changes + 3) {
        from = found;
        to = change->to;
        __atomic_store_n(cell, to, __ATOMIC_RELAXED);
      } else if (!cover_known(entry, entry->pc, cell, true, begin, kind) &&
                 !refill_inline_cache(entry, past, cell, begin, false)) {
        CoverRecorder recorder(cover_thread.memory->transitions, entry->self().access);
        if (!change_words(entry, recorder, cell, begin, 4)) recorder.record(begin, 8);
      }
      begin += 8;
      continue;
    }
    CoverEntry* entry = entry_of(part);
    if (!entry) return;
    std::uint64_t next = (begin & ~std::uint64_t{3}) + 4;
    if (next > end) next = end;
    if (next - begin != 4 || !cover_known<std::uint32_t>(entry, entry->pc, begin, kind)) {
      CoverRecorder(cover_thread.memory->transitions, entry->self().access)
          .record(begin, next - begin);
    }
    begin = next;
  }
}

__attribute__((noinline)) void record_slow_path(const volatile void* address, std::uint64_t size,
                                                std::uint32_t kind, std::uint64_t pc,
                                                std::uint64_t tag) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  const Inside thread;
  if (!thread) return forget_if_lost(address, size);
  CoverEntry* entry = know_entry(*thread, cover_entry(tag), pc, tag, kind);
  if (!entry) return;
  CoverRecorder recorder(thread->memory->transitions, entry->self().access);
  if (size == 8 && (a & 7) == 0 && change_words(entry, recorder, cell_of<std::uint64_t>(a), a, 4))
    return;
  if (size == 4 && (a & 3) == 0 && change_words(entry, recorder, cell_of<std::uint32_t>(a), a, 4))
    return;
  if (size == 1) {
    auto* cell = byte_cell<std::uint32_t>(a);
    if (cell && change_words(entry, recorder, cell, a, 1)) return;
  }
  if (size == 2) {
    auto* cell = byte_cell<std::uint64_t>(a);
    if (cell && change_words(entry, recorder, cell, a, 1)) return;
  }
  if (size == 16) return record_parts(a, a + 16, kind, [&](std::uint64_t) { return entry; });
  recorder.record(a, size);
}

// One or two bytes of a word that was the same for all four: usually new memory. From now on they
// have words of their own, if the thread's tables know the change.
[[gnu::always_inline]] inline bool split_as_before(const CoverEntry* entry, std::uint64_t address,
                                                   std::uint64_t size) {
  CoverWord* cell = cover_word(address);
  const CoverWord found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  CoverWord* leaf = __atomic_load_n(cover_leaf(address), __ATOMIC_ACQUIRE);
  KnownChange change;
  if (found == kSplitWord || !leaf || (address & (size - 1)) != 0 ||
      !find_change(cover_thread.memory, entry->self(), found, &change))
    return false;
  if (change.to == found) return true;
  CoverWord* words = cover_byte_words(leaf, address & ~std::uint64_t{3});
  for (std::uint64_t i = 0; i < 4; ++i) {
    const bool is_accessed = i - (address & 3) < size;
    __atomic_store_n(&words[i], is_accessed ? change.to : found, __ATOMIC_RELAXED);
  }
  __atomic_store_n(cell, kSplitWord, __ATOMIC_RELAXED);
  return true;
}

// Returns true if the thread's own tables know the change, and applies it.
[[gnu::always_inline]] inline bool apply_known_change(std::uint64_t address, std::uint64_t size,
                                                      std::uint64_t tag) {
  CoverThread& t = cover_thread;
  if (__builtin_expect(t.is_busy, 0)) return false;
  // (Otherwise a signal handler might take the entry for one of its instructions in the middle.)
  t.is_busy = true;
  asm volatile("" ::: "memory");
  bool done = false;
  CoverEntry* entry = cover_entry(tag);
  if (__builtin_expect(entry->tag() == tag, 1)) {
    CoverPast& past = t.memory->pasts[entry - t.memory->entries];
    const auto change = [&](auto* cell) __attribute__((always_inline)) {
      return (entry->pc & kMegamorphic) != 0
                 ? change_megamorphic(entry, past, cell)
                 : refill_inline_cache(entry, past, cell, address, size >= 4);
    };
    if (size == 8) {
      done = (address & 7) == 0 && change(cell_of<std::uint64_t>(address));
    } else if (size == 4) {
      done = (address & 3) == 0 && change(cell_of<std::uint32_t>(address));
    } else if (size == 1) {
      auto* cell = byte_cell<std::uint32_t>(address);
      done = cell ? change(cell) : split_as_before(entry, address, size);
    } else if (size == 2) {
      auto* cell = byte_cell<std::uint64_t>(address);
      done = cell ? change(cell) : split_as_before(entry, address, size);
    }
  }
  asm volatile("" ::: "memory");
  t.is_busy = false;
  return done;
}

}  // namespace

bool CoverMemory::forget() {
  for (const CoverTraces* traces : {&used_entries, &used_bits, &used_memos}) {
    if (traces->count > CoverTraces::kCapacity) return false;
  }
  const auto for_each = [](CoverTraces& traces, auto f) {
    for (std::uint32_t i = 0; i < traces.count; ++i) f(traces.places[i]);
    traces.count = 0;
  };
  // (Their other fields are overwritten when they are used.)
  for_each(used_entries, [&](std::uint32_t place) { entries[place].pc = 0; });
  for_each(used_memos,
           [&](std::uint32_t place) { reinterpret_cast<GroupMemo*>(memos + place)->state = 0; });
  auto* bits = reinterpret_cast<std::uint32_t*>(blocks);
  for_each(used_bits, [&](std::uint32_t place) { bits[place] = 0; });
  memset(block_numbers, 0, sizeof block_numbers);
  for (std::uint32_t row = 0; row < kCoverRows; ++row) {
    if (row_accesses[row] == 0) continue;
    row_accesses[row] = 0;
    memset(next_sets[row], 0, sizeof next_sets[row]);
  }
  return true;
}

bool init_cover_threads() { return pthread_key_create(&end_key, give_back) == 0; }

template <std::uint64_t size>
__attribute__((noinline)) void cover_slow_path(const volatile void* address, std::uint32_t kind,
                                               std::uint64_t pc) {
  if (apply_known_change(reinterpret_cast<std::uint64_t>(address), size, pc)) return;
  record_slow_path(address, size, kind, pc, pc);
}
template void cover_slow_path<1>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<2>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<4>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<8>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<16>(const volatile void*, std::uint32_t, std::uint64_t);

template <std::uint64_t size>
__attribute__((noinline)) void cover_megamorphic(const volatile void* address, std::uint32_t kind,
                                                 std::uint64_t pc) {
  using Words = std::conditional_t<size == 4, std::uint32_t, std::uint64_t>;
  const auto a = reinterpret_cast<std::uint64_t>(address);
  auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
  const CoverEntry* entry = cover_entry(pc);
  // (In this order: a signal handler may take the entry for one of its instructions.)
  const CoverSelf self = entry->self();
  asm volatile("" ::: "memory");
  // (The access that ends the megamorphic state takes the slow path.)
  if (__builtin_expect(entry->pc == (pc | kMegamorphic) && (a & (size - 1)) == 0 &&
                           memory->megamorphic_accesses % kMegamorphicLength != 0,
                       1) &&
      __builtin_expect(change_by_step(memory, self, cell_of<Words>(a)), 1)) {
    ++memory->megamorphic_accesses;
    return;
  }
  cover_slow_path<size>(address, kind, pc);
}
template void cover_megamorphic<4>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_megamorphic<8>(const volatile void*, std::uint32_t, std::uint64_t);

void cover_part(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                std::uint64_t pc, std::uint64_t first_part) {
  const Inside thread;
  if (!thread) return forget_if_lost(address, size);
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  record_parts(begin, begin + size, kind, [&](std::uint64_t part) {
    part += first_part;
    if (part >= kCoverRangeParts) part = kCoverRangeParts - 1;
    return know_entry(*thread, range_entry(thread->memory, pc, kind, part), pc,
                      range_tag(pc, kind, part), kind);
  });
}

void cover_range(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                 std::uint64_t pc) {
  if (size != 0) cover_part(address, size, kind, pc, 0);
}

void cover_atomic(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc) {
  cover_learns();
  const auto a = reinterpret_cast<std::uint64_t>(address);
  // An operation that may or may not write has two entries.
  const std::uint64_t tag = kind == kReads ? pc : pc + 4;
  if (!apply_known_change(a, size, tag)) record_slow_path(address, size, kind, pc, tag);
  if (const CoverMemory* memory = cover_thread.memory) {
    const CoverEntry* entry = cover_thread.stack ? &memory->unknown : cover_entry(tag);
    const std::uint32_t location = entry->self().access & kLocationMask;
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
  t.memory->use(entry);
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
  cover_thread.is_busy = false;  // a signal handler may have left the recorder by a jump
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

// The top of a stack, which every thread uses: its shadow is cleared and not given back.
constexpr std::size_t kStackTop = 16 << 10;

void forget_stack() {
  const Inside thread;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return;
  void* begin = nullptr;
  std::size_t size = 0;
  if (pthread_attr_getstack(&attributes, &begin, &size) == 0) {
    const std::size_t top = size < kStackTop ? size : kStackTop;
    cover_forget(begin, size - top);
    cover_forget(static_cast<char*>(begin) + (size - top), top);
  }
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
