// Implements cover.h: a program that runs freely, its threads and their accesses.
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/cover/cover.h"
#include "runtime/cover/group_check.h"
#include "runtime/cover/identities.h"
#include "runtime/cover/inline_cache.h"
#include "runtime/cover/lock_waits.h"
#include "runtime/cover/method_pairs.h"
#include "runtime/cover/place_numbers.h"
#include "runtime/cover/recorder.h"

namespace snag::rt {

constinit CoverEntry no_entries[kCoverEntries]{};
[[gnu::tls_model("local-exec")]] constinit thread_local CoverThread cover_thread{
    no_entries, nullptr, 0, nullptr, 0, 0, false, false};

namespace {

constinit CoverIdentities identities;
constinit pthread_key_t end_key{};

void add_calls(CoverThread& t) {
  cover_tables.store()->calls.fetch_add(t.calls, std::memory_order_relaxed);
  t.calls = 0;
}

void end_thread(void* opaque) {
  auto* memory = static_cast<CoverMemory*>(opaque);
  CoverThread& t = cover_thread;
  // The destructors of the program's own keys come first.
  if (++t.end_rounds < PTHREAD_DESTRUCTOR_ITERATIONS && pthread_setspecific(end_key, memory) == 0)
    return;
  t.is_busy = true;  // from now on; what a signal handler still does is not measured
  t.entries = no_entries;
  __snag_thread.memos = no_memos;
  t.memory = nullptr;
  if (t.stack) t.stack->is_live = 0;
  add_calls(t);
  memory->epoch = __snag_thread.epoch;
  if (!identities.leave({t.bits >> kThreadShift, memory})) munmap(memory, sizeof *memory);
}

// Registers the calling thread; false if it does not count.
bool enter_thread(CoverThread& t) {
  if (t.is_lost) return false;
  const CoverIdentity identity = identities.take();
  CoverStore* store = cover_tables.store();
  t.is_lost = identity.number >= kMaxCoverThreads;
  if (t.is_lost) {
    store->lost_threads.fetch_add(1, std::memory_order_relaxed);
    return false;
  }
  store->thread_count.store(identities.count(), std::memory_order_relaxed);
  t.bits = identity.number << kThreadShift;
  t.memory = identity.memory ? identity.memory : map_private<CoverMemory>(1);
  t.entries = t.memory->entries;
  __snag_thread.memos = t.memory->memos;
  __snag_thread.reads = t.memory->group_reads;
  // (The thread that has ended may have read the same.)
  __snag_thread.epoch = identity.memory ? identity.memory->epoch : 1;
  cover_learns();
  pthread_setspecific(end_key, t.memory);
  if (cover_stacks_on) {
    t.stack = cover_stack(identity.number);
    t.stack->depth = 0;
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

// Of an access that its cell can hold: see is_in_cell.
template <std::uint64_t size>
[[gnu::always_inline]] inline auto sized_cell(std::uint64_t address) {
  if constexpr (size <= 2) {
    return byte_cell<size>(address);
  } else {
    return cell_of<std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>(address);
  }
}
template <std::uint64_t size>
constexpr bool is_in_cell(std::uint64_t address) {
  return size <= 2 ? (address & 3) + size <= 4 : (address & (size - 1)) == 0;
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
    const std::uint64_t size = next - begin;
    // (Bytes have no inline cache: next time there may be a word at this place.)
    CoverMemory* memory = cover_thread.memory;
    const bool known = size == 4   ? cover_known<std::uint32_t>(entry, entry->pc, begin, kind)
                       : size == 1 ? change_by_step(memory, entry->self(), byte_cell<1>(begin))
                       : size == 2 ? change_by_step(memory, entry->self(), byte_cell<2>(begin))
                                   : false;
    if (!known)
      CoverRecorder(cover_thread.memory->transitions, entry->self().access).record(begin, size);
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
  if (size == 1 && change_bytes(entry, recorder, byte_cell<1>(a), a)) return;
  if (size == 2 && (a & 3) != 3 && change_bytes(entry, recorder, byte_cell<2>(a), a)) return;
  if (size == 16) return record_parts(a, a + 16, kind, [&](std::uint64_t) { return entry; });
  recorder.record(a, size);
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
    const auto change = [&](auto cell) __attribute__((always_inline)) {
      return (entry->pc & kMegamorphic) != 0
                 ? change_megamorphic(entry, past, cell)
                 : refill_inline_cache(entry, past, cell, address, size >= 4);
    };
    if (size == 8) {
      done = (address & 7) == 0 && change(cell_of<std::uint64_t>(address));
    } else if (size == 4) {
      done = (address & 3) == 0 && change(cell_of<std::uint32_t>(address));
    } else if (size == 1) {
      done = change(byte_cell<1>(address));
    } else if (size == 2) {
      done = (address & 3) != 3 && change(byte_cell<2>(address));
    }
  }
  asm volatile("" ::: "memory");
  t.is_busy = false;
  return done;
}

}  // namespace

bool init_cover_threads() { return pthread_key_create(&end_key, end_thread) == 0; }

template <std::uint64_t size>
__attribute__((noinline)) void cover_slow_path(const volatile void* address, std::uint32_t kind,
                                               std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t tag = entry_tag<size>(a, pc);
  if (apply_known_change(a, size, tag)) return;
  record_slow_path(address, size, kind, pc, tag);
}
template void cover_slow_path<1>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<2>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<4>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<8>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_slow_path<16>(const volatile void*, std::uint32_t, std::uint64_t);

template <std::uint64_t size>
__attribute__((noinline)) void cover_megamorphic(const volatile void* address, std::uint32_t kind,
                                                 std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
  const std::uint64_t tag = entry_tag<size>(a, pc);
  const CoverEntry* entry = cover_entry(tag);
  // (In this order: a signal handler may take the entry for one of its instructions.)
  const CoverSelf self = entry->self();
  asm volatile("" ::: "memory");
  // (The access that ends the megamorphic state takes the slow path.)
  if (__builtin_expect(entry->pc == (tag | kMegamorphic) && is_in_cell<size>(a) &&
                           memory->megamorphic_accesses % kMegamorphicLength != 0,
                       1) &&
      __builtin_expect(change_by_step(memory, self, sized_cell<size>(a)), 1)) {
    ++memory->megamorphic_accesses;
    return;
  }
  cover_slow_path<size>(address, kind, pc);
}
template void cover_megamorphic<1>(const volatile void*, std::uint32_t, std::uint64_t);
template void cover_megamorphic<2>(const volatile void*, std::uint32_t, std::uint64_t);
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
