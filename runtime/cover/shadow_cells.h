// The hot path of measuring coverage in a program that runs freely.
//
// Every 4 bytes of the program's memory have a word of shadow memory with what has happened to them
// (see runtime/cover/access_states.h), at a fixed distance. Each thread remembers for each
// instruction how its last access changed the word. Usually the next access finds the same word,
// and takes a load, a comparison and perhaps a store. Nothing is locked: simultaneous accesses to
// one variable may be recorded in another order, or one of them may be missed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arch/arch.h"
#include "protocol/access_groups.h"
#include "runtime/cover/access_states.h"

namespace snag::rt {

[[gnu::always_inline]] inline std::uint64_t cover_shadow(std::uint64_t address) {
  return (address ^ kPlaneBit) + kPlaneOffset;
}
inline CoverWord* cover_word(std::uint64_t address) {
  return reinterpret_cast<CoverWord*>(cover_shadow(address & ~std::uint64_t{3}));
}

// The words of single bytes, for words that are kSplitWord. A leaf covers 4 MiB of the program's
// memory, and is made before the first word in it is split.
inline constexpr std::uint64_t kCoverLeafShift = 22;
inline constexpr std::uint64_t kCoverLeaves = 1ull << (kAddressBits - kCoverLeafShift);
[[gnu::visibility("hidden")]] extern CoverWord** cover_leaves;
inline CoverWord* cover_byte_words(CoverWord* leaf, std::uint64_t address) {
  return leaf + (address & ((1ull << kCoverLeafShift) - 1));
}
inline CoverWord** cover_leaf(std::uint64_t address) {
  return &cover_leaves[(address >> kCoverLeafShift) & (kCoverLeaves - 1)];
}
// Values that no word has.
inline constexpr std::uint64_t kNoWords = 0xfffffffe'fffffffe;

// What a thread knows of an access: the CoverAccess, its number in words (0: none), which of the
// thread's blocks of numbers that is in, and where the next sets are. Packed into a number that
// differs in many bits between accesses: see CoverRead.
inline constexpr std::uint64_t kKeyFactor = 0x9e3779b97f4a7c15, kKeyInverse = 0xf1de83e19937733d;
static_assert(kKeyFactor * kKeyInverse == 1);
struct CoverSelf {
  CoverAccess access;
  std::uint16_t number;
  std::uint8_t block, row;  // of CoverMemory::next_sets; 0: none
};
constexpr std::uint64_t key_of(CoverSelf self) {
  return __builtin_bit_cast(std::uint64_t, self) * kKeyFactor;
}

// Instruction state other than the default. Megamorphic: it finds something else each time, so its
// inline cache is of no use (kIsProbed: perhaps). Or it reads again and again what others read, see
// CoverRead.
inline constexpr std::uint64_t kMegamorphic = 1ull << 63, kReadsFirst = 1ull << 62,
                               kIsProbed = 1ull << 61;

// How the last accesses at `pc` changed the words that they found, in no particular order. For
// accesses to 4 bytes only the lower halves count, and for those to one or two bytes, the upper
// halves say which (see ByteCell).
struct CoverEntry {
  using Change = MemberMemo;
  std::uint64_t pc;  // 0: none; | kMegamorphic, perhaps with kIsProbed, or kReadsFirst
  Change changes[3];
  std::uint64_t access_key;

  std::uint64_t tag() const { return pc & ~(kMegamorphic | kReadsFirst | kIsProbed); }
  CoverSelf self() const { return __builtin_bit_cast(CoverSelf, access_key * kKeyInverse); }
};
static_assert(sizeof(CoverEntry) == 64);
inline constexpr std::uint64_t kCoverEntries = 8192;
// For calls that copy or fill memory: one for each of the first parts of it, which are often the
// parts of a structure, each with its own history.
inline constexpr std::uint64_t kCoverRangeEntries = 4096, kCoverRangeParts = 16;

// The statistics by which an entry changes its state. Only needed when its inline cache misses.
struct CoverPast {
  std::uint32_t misses;      // of the inline cache, see kMissLimit in runtime/cover/inline_cache.h
  std::uint32_t probe_hits;  // of the probed accesses: how many would have hit in the cache
  std::uint32_t recent[3];   // the words that it would hold
  std::uint32_t shared_reads;  // in a row
};

// What is known about this thread's accesses to plain words (see runtime/cover/access_states.h), a
// bit for each access of a block: after which last accesses its pair is already in the store, and
// which sets of several threads contain it.
struct CoverBlock {
  // (Not both at the same offset in their pages.)
  std::uint32_t told[(1 << kNumberBits) + 5 * 64];
  std::uint32_t in_set[(1 << kSetBits) + 5 * 64];
};
// One more for accesses without a number, of which nothing is ever known.
inline constexpr std::uint32_t kCoverBlocks = 16;

// Transitions of sets: the next set, and in the bits above it the old set, the access, and the
// owner of the old set if it was of one thread. 0: nothing.
using CoverStep = std::uint64_t;
inline constexpr std::uint64_t kCoverSteps = 1 << 14;
static_assert(kSetBits == 16 && kNumberBits + (32 - kThreadShift) <= 32);

// A dense copy for megamorphic instructions, with a row for each. (Not for sets of one other
// thread.) 0: not known.
inline constexpr std::uint32_t kCoverRows = 64, kCoverRowSets = 4096;

// A memo of the general transition: from any word, by any access.
struct CoverTransition {
  std::uint64_t key;  // from << 32 | CoverAccess
  CoverWord to;
  std::uint16_t bytes;           // of the word, that the access is to
  std::uint16_t is_shared_read;  // one thread reads what another one has read
};
// (Tables that threads fill and look up cause thousands; an evicted one has to be computed again.)
inline constexpr std::uint64_t kCoverTransitions = 1 << 16;
[[gnu::always_inline]] inline CoverTransition* cover_transition(CoverTransition* all,
                                                                std::uint64_t key,
                                                                CoverBytes bytes = kWholeWord) {
  key += (kWholeWord - bytes) * 0xbf58476d1ce4e5b9;
  return &all[(key * 0x9e3779b97f4a7c15) >> (64 - __builtin_ctzll(kCoverTransitions))];
}

// Where several threads read the same data, each of them would write its shadow again and again,
// and the cache lines would bounce. But reads that nothing orders have no order: a thread that
// reads a variable again, at the same place, before it has synchronised with another thread, could
// as well have made that read together with the first. So it leaves the word alone. What it read:
// where, what, GroupThread::epoch, and the word that it found, all in one number. (Words differ in
// their lower bits, as addresses do: the word is byte-swapped, so that the two cannot cancel out.)
using CoverRead = std::uint64_t;
inline constexpr std::uint64_t kCoverReads = 1 << 14;
[[gnu::always_inline]] inline CoverRead* cover_read(CoverRead* all, std::uint64_t key,
                                                    std::uint64_t address) {
  return reinterpret_cast<CoverRead*>(reinterpret_cast<char*>(all) +
                                      ((key + address) & ((kCoverReads - 1) * sizeof(CoverRead))));
}
[[gnu::always_inline]] inline CoverRead cover_reading(std::uint64_t key, std::uint64_t address,
                                                      std::uint64_t epoch, std::uint64_t found) {
  return (key + address) ^ epoch ^ __builtin_bswap64(found);
}

// (Two-way associative: two reads in turn that shared one slot would never hit.)
[[gnu::always_inline]] inline CoverRead* second_slot(CoverRead* read) { return read + kCoverReads; }
[[gnu::always_inline]] inline bool was_read(CoverRead* read, CoverRead reading) {
  return __builtin_expect(*read == reading, 1) || *second_slot(read) == reading;
}
[[gnu::always_inline]] inline void remember_reading(CoverRead* read, CoverRead reading) {
  *second_slot(read) = *read;
  *read = reading;
}

// What threads remember of groups of accesses.
inline constexpr std::uint32_t kCoverMemos = 1 << 20;

// What a thread remembers, in memory of its own. All of it is about the thread's number: the next
// thread with this number can use it as it is.
struct CoverMemory {
  // By the address of the instruction, so that neighbours never collide; calls are 5 bytes long.
  CoverEntry entries[kCoverEntries];
  CoverPast pasts[kCoverEntries];  // of the entries
  CoverEntry range_entries[kCoverRangeEntries];
  CoverBlock blocks[kCoverBlocks + 1];
  std::uint32_t block_numbers[kCoverBlocks];  // the first numbers of them; 0: none yet
  CoverStep steps[kCoverSteps];
  std::uint16_t next_sets[kCoverRows][kCoverRowSets];  // the first row is of those without one
  CoverAccess row_accesses[kCoverRows];
  CoverTransition transitions[kCoverTransitions];
  CoverRead reads[2 * kCoverReads];
  CoverRead group_reads[1 << kReadsBits];  // of groups: see kMemoReads
  alignas(64) char memos[kCoverMemos];     // GroupMemos, see protocol/access_groups.h
  std::uint32_t turn;  // which of an instruction's changes makes room for the next one
  std::uint32_t megamorphic_accesses;
  CoverEntry unknown;  // of an instruction for which nothing is remembered
  // Of the thread that has ended, for the one that continues with its number.
  std::uint64_t epoch;  // GroupThread::epoch
};
static_assert(offsetof(CoverMemory, range_entries) % sizeof(CoverEntry) == 0);

struct CoverStack;  // see runtime/cover/method_pairs.h

struct CoverThread {
  CoverEntry* entries;      // of `memory`; before that, memos that never match
  CoverMemory* memory;      // null: none yet
  std::uint64_t calls;      // of functions, not added to the store's yet
  CoverStack* stack;        // if stacks are recorded
  std::uint32_t bits;       // the thread, as in CoverAccess
  std::uint8_t end_rounds;  // of thread-specific destructors
  bool is_busy;  // in the recorder: accesses of signal handlers are not measured meanwhile
  bool is_lost;  // one too many
};
[[gnu::visibility("hidden")]] extern CoverEntry no_entries[kCoverEntries];
extern thread_local constinit CoverThread cover_thread
    __attribute__((tls_model("local-exec"), visibility("hidden")));

// Of a part of a block of memory that is copied or filled.
// (A copy reads and writes at the same place: other entries. The next call is kCallSize bytes
// away.)
constexpr std::uint64_t range_place(std::uint64_t pc, std::uint32_t kind) {
  return kind == kReads ? pc : pc + kCallSize - 1;
}
inline CoverEntry* range_entry(CoverMemory* memory, std::uint64_t pc, std::uint32_t kind,
                               std::uint64_t part) {
  const std::uint64_t first = range_place(pc, kind) * kKeyFactor >> 52;
  return &memory->range_entries[(first + part) % kCoverRangeEntries];
}
constexpr std::uint64_t range_tag(std::uint64_t pc, std::uint32_t kind, std::uint64_t part) {
  return range_place(pc, kind) | (part + 1) << 48;
}

// The slow paths: for megamorphic instructions, and for all others.
template <std::uint64_t size>
void cover_megamorphic(const volatile void* address, std::uint32_t kind, std::uint64_t pc);
template <std::uint64_t size>
void cover_slow_path(const volatile void* address, std::uint32_t kind, std::uint64_t pc);

// The thread is about to wait for others, or to acquire what they released.
inline void cover_learns() { __snag_thread.epoch += 0xbf58476d1ce4e5b9; }

[[gnu::always_inline]] inline CoverEntry* cover_entry(std::uint64_t pc) {
  return reinterpret_cast<CoverEntry*>(reinterpret_cast<char*>(cover_thread.entries) +
                                       ((pc << 4) & ((kCoverEntries - 1) * sizeof(CoverEntry))));
}

// An instruction that walks through bytes finds and leaves something else in each of the four
// places in a word: for those of the second half it has another entry.
template <std::uint64_t size>
constexpr std::uint64_t entry_tag(std::uint64_t address, std::uint64_t pc) {
  return size == 1 ? pc + ((address & 2) << 1) : pc;
}

// Repeating the access changes nothing.
template <class Words>
[[gnu::always_inline]] inline bool cover_same(const CoverEntry* entry, Words found, bool is_word,
                                              std::uint64_t address, std::uint32_t kind) {
  CoverRead* read = nullptr;
  CoverRead reading = 0;
  if (kind == kReads) {
    auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
    read = cover_read(memory->reads, entry->access_key, address);
    reading = cover_reading(entry->access_key, address, __snag_thread.epoch, found);
    if (__builtin_expect(was_read(read, reading), 1)) return true;
  }
  const auto* changes = entry->changes;
  const bool same = found == static_cast<Words>(changes[0].to) ||
                    found == static_cast<Words>(changes[1].to) ||
                    found == static_cast<Words>(changes[2].to);
  if (!same || !is_word) return false;
  // (Which thread read last may be chance, so the branch between the two cases would be
  // unpredictable: next time the case above applies.)
  if (kind == kReads) remember_reading(read, reading);
  return true;
}

// Inline cache lookup: true on a hit, when the word in the cell (the shadow of `address`) is one
// that the entry of `pc` knows. A misaligned cell has no word that any entry knows, so `is_word`
// only matters on a match.
template <class Words>
[[gnu::always_inline]] inline bool cover_known(const CoverEntry* entry, std::uint64_t pc,
                                               Words* cell, bool is_word, std::uint64_t address,
                                               std::uint32_t kind) {
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto* changes = entry->changes;
  // (`to` is read first: a signal handler may take the entry for one of its instructions, and
  // overwrites `from` first.)
  const auto to_of = [&](int i) __attribute__((always_inline)) {
    const auto become = static_cast<Words>(__atomic_load_n(&changes[i].to, __ATOMIC_RELAXED));
    asm volatile("" ::: "memory");
    return become;
  };
  Words to = to_of(0);
  if (found != static_cast<Words>(changes[0].from)) {
    to = to_of(1);
    if (found != static_cast<Words>(changes[1].from)) {
      to = to_of(2);
      if (found != static_cast<Words>(changes[2].from)) {
        return cover_same(entry, found, is_word, address, kind);
      }
    }
  }
  // (And the entry may have been taken before that.)
  asm volatile("" ::: "memory");
  if (__builtin_expect(!is_word || entry->pc != pc, 0)) return false;
  __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

template <class Words>
[[gnu::always_inline]] inline bool cover_known(const CoverEntry* entry, std::uint64_t pc,
                                               std::uint64_t address, std::uint32_t kind) {
  return cover_known(entry, pc, reinterpret_cast<Words*>(cover_shadow(address)), (address & 3) == 0,
                     address, kind);
}

// Where the history of a byte is, or of two in one word: usually in that word, together with those
// of its other bytes. What is found there, and becomes of it, depends on which bytes of the word
// are accessed, so they are part of both. (Not where this access leaves the whole word as it is:
// the answer is the same for all of them.)
struct ByteCell {
  CoverWord* word;
  CoverWord* own;  // the words of the bytes; null if these have none
  std::uint64_t bytes;

  // kNoWords: two bytes whose own words differ.
  std::uint64_t load() const {
    if (__builtin_expect(!own, 1)) return bytes << 32 | __atomic_load_n(word, __ATOMIC_RELAXED);
    const CoverWord found = __atomic_load_n(&own[0], __ATOMIC_RELAXED);
    if (bytes == kTwoOwn && __atomic_load_n(&own[1], __ATOMIC_RELAXED) != found) return kNoWords;
    return bytes << 32 | found;
  }
  void store(std::uint64_t to) const {
    const auto become = static_cast<CoverWord>(to);
    if (__builtin_expect(!own, 1)) return __atomic_store_n(word, become, __ATOMIC_RELAXED);
    __atomic_store_n(&own[0], become, __ATOMIC_RELAXED);
    if (bytes == kTwoOwn) __atomic_store_n(&own[1], become, __ATOMIC_RELAXED);
  }
  static constexpr std::uint64_t kOneOwn = kWholeWord + 1, kTwoOwn = kWholeWord + 2;
};
// (Of two bytes in one word.)
template <std::uint64_t size>
[[gnu::always_inline]] inline ByteCell byte_cell(std::uint64_t address) {
  CoverWord* word = cover_word(address);
  if (__builtin_expect(__atomic_load_n(word, __ATOMIC_RELAXED) != kSplitWord, 1))
    return {word, nullptr, bytes_at(address, size)};
  return {word, cover_byte_words(*cover_leaf(address), address),
          size == 1 ? ByteCell::kOneOwn : ByteCell::kTwoOwn};
}

// As cover_same and cover_known, for one or two bytes.
[[gnu::always_inline]] inline bool cover_same_bytes(const CoverEntry* entry, std::uint64_t found,
                                                    std::uint64_t address, std::uint32_t kind) {
  CoverRead* read = nullptr;
  CoverRead reading = 0;
  if (kind == kReads) {
    auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
    read = cover_read(memory->reads, entry->access_key, address);
    reading = cover_reading(entry->access_key, address, __snag_thread.epoch, found);
    if (was_read(read, reading)) return true;
  }
  const std::uint64_t word = static_cast<CoverWord>(found);
  bool same = false;
  for (const auto& change : entry->changes) same = same || change.to == found || change.to == word;
  if (same && kind == kReads) remember_reading(read, reading);
  return same;
}

template <std::uint64_t size>
[[gnu::always_inline]] inline bool cover_known_bytes(const CoverEntry* entry, std::uint64_t pc,
                                                     std::uint64_t address, std::uint32_t kind) {
  if (size == 2 && __builtin_expect((address & 3) == 3, 0)) return false;
  const ByteCell cell = byte_cell<size>(address);
  const std::uint64_t found = cell.load();
  if (size == 2 && __builtin_expect(found == kNoWords, 0)) return false;
  for (const auto& change : entry->changes) {
    // (In this order, see cover_known.)
    const std::uint64_t to = __atomic_load_n(&change.to, __ATOMIC_RELAXED);
    asm volatile("" ::: "memory");
    if (__atomic_load_n(&change.from, __ATOMIC_RELAXED) != found) continue;
    asm volatile("" ::: "memory");
    if (__builtin_expect(entry->pc != pc, 0)) return false;
    cell.store(to);
    return true;
  }
  return cover_same_bytes(entry, found, address, kind);
}

// It has read the same there before, see CoverRead.
template <class Words>
[[gnu::always_inline]] inline bool cover_known_read(const CoverEntry* entry, std::uint64_t address,
                                                    Words found) {
  auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
  return was_read(cover_read(memory->reads, entry->access_key, address),
                  cover_reading(entry->access_key, address, __snag_thread.epoch, found));
}
template <class Words>
[[gnu::always_inline]] inline bool cover_known_read(const CoverEntry* entry,
                                                    std::uint64_t address) {
  auto* cell = reinterpret_cast<const Words*>(cover_shadow(address));
  return cover_known_read<Words>(entry, address, __atomic_load_n(cell, __ATOMIC_RELAXED));
}

template <std::uint64_t size>
[[gnu::always_inline]] inline void cover_access(const volatile void* address, std::uint32_t kind,
                                                std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t tag = entry_tag<size>(a, pc);
  const CoverEntry* entry = cover_entry(tag);
  if (__builtin_expect(entry->pc == tag, 1)) {
    // (Recording the first half of 16 bytes twice does no harm.)
    const bool known = size == 1   ? cover_known_bytes<1>(entry, tag, a, kind)
                       : size == 2 ? cover_known_bytes<2>(entry, pc, a, kind)
                       : size == 4 ? cover_known<std::uint32_t>(entry, pc, a, kind)
                       : size == 8 ? cover_known<std::uint64_t>(entry, pc, a, kind)
                                   : cover_known<std::uint64_t>(entry, pc, a, kind) &&
                                         cover_known<std::uint64_t>(entry, pc, a + 8, kind);
    if (__builtin_expect(known, 1)) return;
  } else if ((size == 4 || size == 8) && kind == kReads && entry->pc == (pc | kReadsFirst)) {
    using Words = std::conditional_t<size == 4, std::uint32_t, std::uint64_t>;
    if (__builtin_expect(cover_known_read<Words>(entry, a), 1)) return;
  } else if (size != 16 && entry->pc == (tag | kMegamorphic)) {
    return cover_megamorphic<size>(address, kind, pc);
  }
  cover_slow_path<size>(address, kind, pc);
}

}  // namespace snag::rt
