// How accesses change a shadow word in a program that runs freely, beyond the hot path of
// runtime/cover/shadow_cells.h. Each instruction has an inline cache of three entries. On a miss,
// the thread's own tables answer; if they do not know the change either, the shared states compute
// it. An instruction that misses too often is megamorphic and bypasses its cache.
#pragma once

#include <cstdint>

#include "runtime/cover/recorder.h"
#include "runtime/cover/shadow_cells.h"

namespace snag::rt {

// In this order: a signal handler may come in the middle. (A change whose `to` the same access
// leaves unchanged is always right.)
inline void set_change(CoverEntry::Change& change, std::uint64_t from, std::uint64_t to) {
  change.from = kNoWords;
  asm volatile("" ::: "memory");
  change.to = to;
  asm volatile("" ::: "memory");
  // (An access that changes nothing is recognised by `to`, and stores nothing.)
  if (from != to) change.from = from;
}

inline void remember(CoverEntry* entry, std::uint64_t found, std::uint64_t to) {
  std::uint32_t& turn = cover_thread.memory->turn;
  turn = turn >= 2 ? 0 : turn + 1;
  set_change(entry->changes[turn], found, to);
}

// ---- The thread's own tables of changes, for all instructions. ----

struct KnownChange {
  CoverWord to;
  bool is_shared_read;
};

constexpr std::uint32_t bit_of(const CoverSelf& self) { return 1u << (self.number % kNumberBlock); }
constexpr bool is_known_after(const CoverBlock& block, const CoverSelf& self, CoverWord plain) {
  return (block.told[number_of(plain)] & bit_of(self)) != 0;
}

// The slot for the next set after an access, and the key that it must have.
struct StepPlace {
  CoverStep* step;
  std::uint64_t key;
};
[[gnu::always_inline]] inline StepPlace step_place(CoverMemory* memory, const CoverSelf& self,
                                                   CoverWord plain) {
  const std::uint32_t set = set_of(plain);
  const std::uint32_t owner = cover_states.owner(set, number_of(plain));
  const std::uint32_t who = std::uint32_t{self.number} | owner << kNumberBits;
  // (Sets that were created one after the other are usually also used that way.)
  const std::uint32_t slot = (set + (who * 0x9e3779b1u >> 16)) % kCoverSteps;
  return {&memory->steps[slot], std::uint64_t{who} << kSetBits | set};
}
// In one store: a signal handler may come in the middle.
inline void know_step(const StepPlace& place, std::uint32_t next_set) {
  __atomic_store_n(place.step, place.key << kSetBits | next_set, __ATOMIC_RELAXED);
}
constexpr std::uint32_t set_of_step(CoverStep step) { return step & ((1 << kSetBits) - 1); }
// False if nothing is known.
[[gnu::always_inline]] inline bool take_step(const StepPlace& place, const CoverSelf& self,
                                             CoverWord* to) {
  const CoverStep step = __atomic_load_n(place.step, __ATOMIC_RELAXED);
  *to = set_of_step(step) << kNumberBits | self.number;
  return step >> kSetBits == place.key;
}

// Whether a row of next_sets can hold the change of the word.
[[gnu::always_inline]] inline bool is_for_row(const CoverSelf& self, CoverWord plain) {
  const std::uint32_t set = set_of(plain);
  return set < kCoverRowSets && !cover_states.is_of_other(set, number_of(plain), self.access);
}

inline void know_in_row(CoverMemory* memory, const CoverSelf& self, CoverWord word, CoverWord to) {
  if (self.row == 0 || !is_plain(word) || !is_plain(to) || !is_for_row(self, word)) return;
  memory->next_sets[self.row][set_of(word)] = static_cast<std::uint16_t>(set_of(to));
}

// Gives the entry a row, if there are any left. (An access keeps its row when another one takes its
// entry.)
inline void take_row(CoverMemory* memory, CoverEntry* entry) {
  CoverSelf self = entry->self();
  if (self.number == 0) return;
  const auto is_mine = [&](CoverAccess of) { return of == 0 || of == self.access; };
  std::uint32_t row = 1;
  while (row < kCoverRows && !is_mine(memory->row_accesses[row])) ++row;
  if (row == kCoverRows) return;
  memory->row_accesses[row] = self.access;
  self.row = static_cast<std::uint8_t>(row);
  entry->access_key = key_of(self);
}

inline bool find_change(CoverMemory* memory, const CoverSelf& self, CoverWord word,
                        KnownChange* change) {
  const CoverBlock& block = memory->blocks[self.block];
  const bool is_known = is_plain(word) && is_known_after(block, self, word);
  if (is_known) {
    const StepPlace place = step_place(memory, self, word);
    change->is_shared_read = cover_states.is_shared_read(word, self.access);
    if (take_step(place, self, &change->to)) return true;
    if ((block.in_set[set_of(word)] & bit_of(self)) != 0) {
      change->to = (word & ~kNumberMask) | self.number;
      know_step(place, set_of(word));
      return true;
    }
  }
  const std::uint64_t key = std::uint64_t{word} << 32 | self.access;
  const CoverTransition& known = *cover_transition(memory->transitions, key);
  if (known.key != key || known.bytes != kWholeWord || known.to == kSplitWord) return false;
  *change = {known.to, known.is_shared_read != 0};
  if (is_known && is_plain(known.to)) know_step(step_place(memory, self, word), set_of(known.to));
  return true;
}

// The same for some bytes of a word, which the steps above do not describe.
inline bool find_byte_change(const CoverMemory* memory, const CoverSelf& self, CoverWord word,
                             CoverBytes bytes, KnownChange* change) {
  const std::uint64_t key = std::uint64_t{word} << 32 | self.access;
  const CoverTransition& known =
      *cover_transition(const_cast<CoverTransition*>(memory->transitions), key, bytes);
  if (known.key != key || known.bytes != bytes || known.to == kSplitWord) return false;
  *change = {known.to, known.is_shared_read != 0};
  return true;
}

inline void know_change(CoverMemory* memory, const CoverSelf& self, CoverWord word, CoverWord to) {
  if (self.number == 0 || !is_plain(word) || !is_plain(to) || number_of(to) != self.number) return;
  CoverBlock& block = memory->blocks[self.block];
  block.told[number_of(word)] |= bit_of(self);
  know_step(step_place(memory, self, word), set_of(to));
  if (set_of(to) == set_of(word) && !cover_states.is_private_set(set_of(word)))
    block.in_set[set_of(word)] |= bit_of(self);
}

template <class Words>
constexpr Words both_halves(CoverWord word) {
  return static_cast<Words>(sizeof(Words) == 4 ? word : std::uint64_t{word} << 32 | word);
}

// Where the words of an access are: a pointer, or a ByteCell.
template <class Words>
[[gnu::always_inline]] inline Words load_words(Words* cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}
[[gnu::always_inline]] inline std::uint64_t load_words(const ByteCell& cell) { return cell.load(); }
template <class Words>
[[gnu::always_inline]] inline void store_words(Words* cell, Words to) {
  __atomic_store_n(cell, to, __ATOMIC_RELAXED);
}
[[gnu::always_inline]] inline void store_words(const ByteCell& cell, std::uint64_t to) {
  cell.store(to);
}
template <class Words>
constexpr bool is_same(const Words*, Words found, Words to) {
  return found == to;
}
constexpr bool is_same(const ByteCell&, std::uint64_t found, std::uint64_t to) {
  return static_cast<CoverWord>(found) == static_cast<CoverWord>(to);
}

// The change of a ByteCell.
constexpr std::uint64_t byte_change(std::uint64_t found, CoverWord to) {
  return static_cast<CoverWord>(found) == to && !is_row(to) ? to : (found >> 32) << 32 | to;
}
inline bool find_changes(const ByteCell& cell, CoverMemory* memory, const CoverSelf& self,
                         std::uint64_t found, std::uint64_t* to, bool* is_shared_read) {
  if (found == kNoWords) return false;
  const auto word = static_cast<CoverWord>(found);
  KnownChange change;
  const bool is_known =
      cell.own ? find_change(memory, self, word, &change)
               : find_byte_change(memory, self, word, static_cast<CoverBytes>(cell.bytes), &change);
  if (!is_known) return false;
  *to = byte_change(found, change.to);
  *is_shared_read = change.is_shared_read;
  return true;
}

template <class Words>
[[gnu::always_inline]] inline bool find_changes(const Words*, CoverMemory* memory,
                                                const CoverSelf& self, Words found, Words* to,
                                                bool* is_shared_read) {
  const auto word = static_cast<CoverWord>(found);
  KnownChange low;
  if (!find_change(memory, self, word, &low)) return false;
  *to = low.to;
  *is_shared_read = low.is_shared_read;
  if constexpr (sizeof(Words) == 8) {
    const auto other = static_cast<CoverWord>(found >> 32);
    KnownChange high = low;
    if (__builtin_expect(other != word, 0) && !find_change(memory, self, other, &high))
      return false;
    *to |= std::uint64_t{high.to} << 32;
  }
  return true;
}

// An instruction that finds something else each time is faster without an inline cache: the
// branches on its entries are unpredictable. After kMissLimit misses it becomes megamorphic. Its
// next kProbeLength accesses are probed: if the cache would have hit kProbeHits times or more, the
// instruction gets it back. (A misprediction costs about as much as a lookup in the thread's
// tables, so three of four have to hit.) Later, every kMegamorphicLength-th access of all
// megamorphic instructions makes its own instruction try again.
inline constexpr std::uint32_t kMissLimit = 256, kProbeLength = 32, kProbeHits = 24,
                               kMegamorphicLength = 1 << 14;

// Inline cache miss: applies the change if this thread's tables know it, and enters it in the
// cache. `whole`: an access of 4 or 8 bytes, for which the hot path obeys kReadsFirst.
template <class Cell>
[[gnu::always_inline]] inline bool refill_inline_cache(CoverEntry* entry, CoverPast& past,
                                                       const Cell& cell, std::uint64_t address,
                                                       bool whole) {
  const auto found = load_words(cell);
  CoverMemory* memory = cover_thread.memory;
  auto to = found;
  bool is_shared_read;
  if (!find_changes(cell, memory, entry->self(), found, &to, &is_shared_read)) return false;
  const bool same = is_same(cell, found, to);
  if (is_shared_read || same) {
    remember_reading(cover_read(memory->reads, entry->access_key, address),
                     cover_reading(entry->access_key, address, __snag_thread.epoch, found));
    remember(entry, kNoWords, to);
    if (whole && is_shared_read && ++past.shared_reads == kMissLimit) entry->pc |= kReadsFirst;
  } else if (__builtin_expect(++past.misses < kMissLimit, 1)) {
    remember(entry, found, to);
    past.shared_reads = 0;
    entry->pc &= ~kReadsFirst;
  } else {
    for (auto& change : entry->changes) set_change(change, kNoWords, kNoWords);
    past.probe_hits = 0;
    past.shared_reads = 0;
    if (whole) take_row(memory, entry);
    entry->pc = (entry->pc & ~kReadsFirst) | kMegamorphic | kIsProbed;
  }
  if (!same) store_words(cell, to);
  return true;
}

// Whether an inline cache would have hit.
inline bool would_hit(CoverPast& past, CoverWord found) {
  for (const std::uint32_t recent : past.recent) {
    if (recent == found) return true;
  }
  past.recent[past.misses % 3] = found;
  return false;
}

// The usual access of a megamorphic instruction. (Short, and with predictable branches only.)
template <class Words>
[[gnu::always_inline]] inline bool change_by_step(CoverMemory* memory, const CoverSelf& self,
                                                  Words* cell) {
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto word = static_cast<CoverWord>(found);
  // (Both halves are usually equal.)
  if (__builtin_expect(found != both_halves<Words>(word) || !is_plain(word), 0)) return false;
  if (__builtin_expect(!is_known_after(memory->blocks[self.block], self, word), 0)) return false;
  if (__builtin_expect(is_for_row(self, word), 1)) {
    const CoverWord next_set = memory->next_sets[self.row][set_of(word)];
    if (__builtin_expect(next_set != 0, 1)) {
      __atomic_store_n(cell, both_halves<Words>(next_set << kNumberBits | self.number),
                       __ATOMIC_RELAXED);
      return true;
    }
  }
  CoverWord to;
  if (!take_step(step_place(memory, self, word), self, &to)) return false;
  // (Its row gets it on the slow path.)
  if (self.row != 0 && is_for_row(self, word)) return false;
  if (to != word) __atomic_store_n(cell, both_halves<Words>(to), __ATOMIC_RELAXED);
  return true;
}
// The same for one or two bytes.
[[gnu::always_inline]] inline bool change_by_step(CoverMemory* memory, const CoverSelf& self,
                                                  const ByteCell& cell) {
  const std::uint64_t found = cell.load();
  std::uint64_t to;
  bool is_shared_read;
  if (!find_changes(cell, memory, self, found, &to, &is_shared_read)) return false;
  if (!is_same(cell, found, to)) cell.store(to);
  return true;
}

template <class Cell>
[[gnu::always_inline]] inline bool change_megamorphic(CoverEntry* entry, CoverPast& past,
                                                      const Cell& cell) {
  const auto found = load_words(cell);
  CoverMemory* memory = cover_thread.memory;
  const CoverSelf self = entry->self();
  auto to = found;
  bool is_shared_read;
  if (!find_changes(cell, memory, self, found, &to, &is_shared_read)) return false;
  const bool same = is_same(cell, found, to);
  if (!same) store_words(cell, to);
  know_in_row(memory, self, static_cast<CoverWord>(found), static_cast<CoverWord>(to));
  bool ends = memory->megamorphic_accesses++ % kMegamorphicLength == 0;
  if ((entry->pc & kIsProbed) != 0) {
    past.probe_hits += same || would_hit(past, static_cast<CoverWord>(found));
    if (++past.misses >= kMissLimit + kProbeLength) {
      entry->pc &= ~kIsProbed;
      ends = past.probe_hits >= kProbeHits;
    }
  }
  if (ends) {
    past.misses = 0;
    entry->pc = entry->tag();
  }
  return true;
}

// Slow path: no table of this thread knows the change. The words are `step` bytes apart.
template <class Words>
bool change_words(CoverEntry* entry, CoverRecorder& recorder, Words* cell, std::uint64_t address,
                  std::uint64_t step) {
  CoverMemory* memory = cover_thread.memory;
  const CoverSelf self = entry->self();
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto low = static_cast<CoverWord>(found);
  const auto high = sizeof(Words) == 8 ? static_cast<CoverWord>(std::uint64_t{found} >> 32) : low;
  if (low == kSplitWord || high == kSplitWord) return false;
  const CoverWord low_to = recorder.next(low, address);
  if (low_to == kSplitWord) return false;
  know_change(memory, self, low, low_to);
  CoverWord high_to = low_to;
  if (high != low) {
    high_to = recorder.next(high, address + step);
    if (high_to == kSplitWord) return false;
    know_change(memory, self, high, high_to);
  }
  const auto to = static_cast<Words>(std::uint64_t{high_to} << 32 | low_to);
  const bool is_shared_read = cover_states.is_shared_read(low, self.access);
  remember(entry, is_shared_read ? kNoWords : found, to);
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

// The same for one or two bytes.
inline bool change_bytes(CoverEntry* entry, CoverRecorder& recorder, const ByteCell& cell,
                         std::uint64_t address) {
  CoverMemory* memory = cover_thread.memory;
  const CoverSelf self = entry->self();
  const std::uint64_t found = cell.load();
  if (found == kNoWords) return false;
  const auto word = static_cast<CoverWord>(found);
  CoverWord to;
  if (cell.own) {
    to = recorder.next(word, address);
    know_change(memory, self, word, to);
  } else {
    to = recorder.next(word, address, static_cast<CoverBytes>(cell.bytes));
    if (to == kSplitWord) return false;
  }
  const bool is_shared_read = cover_states.is_shared_read(word, self.access);
  remember(entry, is_shared_read || to == word ? kNoWords : found, byte_change(found, to));
  if (to != word) cell.store(to);
  return true;
}

}  // namespace snag::rt
