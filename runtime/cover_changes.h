// What becomes of a shadow word in a program that runs freely, beyond the hot path of
// runtime/cover_cells.h: by what the thread knows from before, or if it does not, by asking.
#pragma once

#include <cstdint>

#include "runtime/cover_cells.h"
#include "runtime/cover_record.h"

namespace snag::rt {

// In this order: a signal handler may come in the middle. (A change to what the same access leaves
// as it is is always right.)
inline void set_change(CoverEntry::Change& change, std::uint64_t from, std::uint64_t to) {
  change.from = kNoWords;
  asm volatile("" ::: "memory");
  change.to = to;
  asm volatile("" ::: "memory");
  // (What changes nothing is known by `to`, and is not stored.)
  if (from != to) change.from = from;
}

inline void remember(CoverEntry* entry, std::uint64_t found, std::uint64_t to) {
  std::uint32_t& turn = cover_thread.memory->turn;
  turn = turn >= 2 ? 0 : turn + 1;
  set_change(entry->changes[turn], found, to);
}

// ---- What this thread knows to become of a word, whatever instruction finds it. ----

struct KnownChange {
  CoverWord to;
  bool is_shared_read;
};

inline constexpr std::uint32_t kWritesBit = kWrites << kKindShift;
constexpr bool is_same_thread(CoverAccess a, CoverAccess b) { return (a ^ b) >> kThreadShift == 0; }
constexpr std::uint32_t bit_of(const CoverSelf& self) { return 1u << (self.number % kNumberBlock); }
constexpr std::uint32_t set_key(CoverWord word, const CoverSelf& self, bool same) {
  return set_of(word) << 16 | std::uint32_t{self.number} << 1 | (same ? 1 : 0);
}

[[gnu::always_inline]] inline bool find_change(CoverMemory* memory, const CoverSelf& self,
                                               CoverWord word, KnownChange* change) {
  if (is_plain(word) && self.number != 0) {
    const std::uint32_t last = number_of(word);
    const CoverAccess before = cover_states.access(last);
    const bool same = is_same_thread(before, self.access);
    const bool any_writes = ((before | self.access) & kWritesBit) != 0;
    const CoverBlock& block = memory->blocks[self.block];
    const std::uint32_t bit = bit_of(self);
    const bool told = (block.told[last] & bit) != 0;
    // (Each by itself is a matter of luck, all together hardly.)
    if (__builtin_expect(same | !any_writes | told, 1)) {
      const bool is_shared_read = !same & !any_writes & (last != 0);
      if ((block.in_set[same][set_of(word)] & bit) != 0) {
        *change = {(word & ~kNumberMask) | self.number, is_shared_read};
        return true;
      }
      const std::uint32_t key = set_key(word, self, same);
      const CoverKnownSet set = *cover_known_set(memory->sets, key);
      if (set.key == key) {
        *change = {set.to, is_shared_read};
        return true;
      }
    }
  }
  const std::uint64_t key = std::uint64_t{word} << 32 | self.access;
  const CoverTransition& known = *cover_transition(memory->transitions, key);
  if (known.key != key) return false;
  *change = {known.to, known.is_shared_read != 0};
  return true;
}

inline void know_change(CoverMemory* memory, const CoverSelf& self, CoverWord word, CoverWord to) {
  if (!is_plain(word) || !is_plain(to) || number_of(to) != self.number) return;
  const std::uint32_t last = number_of(word);
  const bool same = is_same_thread(cover_states.access(last), self.access);
  CoverBlock& block = memory->blocks[self.block];
  block.told[last] |= bit_of(self);
  // Whoever is the first one to join another thread makes a set that depends on who that was.
  if (!same && cover_states.is_private_set(set_of(word))) return;
  if (set_of(to) == set_of(word)) {
    block.in_set[same][set_of(word)] |= bit_of(self);
  } else {
    // In one go: a signal handler may come in the middle.
    const CoverKnownSet set{set_key(word, self, same), to};
    __atomic_store_n(reinterpret_cast<std::uint64_t*>(cover_known_set(memory->sets, set.key)),
                     __builtin_bit_cast(std::uint64_t, set), __ATOMIC_RELAXED);
  }
}

template <class Words>
[[gnu::always_inline]] inline bool find_changes(CoverMemory* memory, const CoverSelf& self,
                                                Words found, Words* to, bool* is_shared_read) {
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

// An instruction that finds something else each time is better off without changes, and without
// what it has read: no processor can guess which of them it will be. When kPatience changes were
// missing, it is restless. The next kTrial accesses show how often changes would be right; if less
// than kEnough, it stays so until kWhile. (A guess that is wrong costs about as much as a look at
// what the thread knows; so three of four have to be right.)
inline constexpr std::uint32_t kPatience = 256, kTrial = 32, kEnough = 24, kWhile = 8192;

// A change that is not among the last ones of the instruction, but one that this thread knows.
// `whole`: the hot path reads first if it is told to.
template <class Words>
[[gnu::always_inline]] inline bool change_as_before(CoverEntry* entry, CoverPast& past, Words* cell,
                                                    std::uint64_t address, bool whole) {
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  CoverMemory* memory = cover_thread.memory;
  Words to;
  bool is_shared_read;
  if (!find_changes(memory, entry->self(), found, &to, &is_shared_read)) return false;
  if (is_shared_read || to == found) {
    remember_reading(cover_read(memory->reads, entry->access_key, address),
                     cover_reading(entry->access_key, address, __snag_thread.epoch, found));
    remember(entry, kNoWords, to);
    if (whole && is_shared_read && ++past.shared_reads == kPatience) entry->pc |= kReadsFirst;
  } else if (__builtin_expect(++past.lookups < kPatience, 1)) {
    remember(entry, found, to);
    past.shared_reads = 0;
    entry->pc &= ~kReadsFirst;
  } else {
    for (auto& change : entry->changes) set_change(change, kNoWords, kNoWords);
    past.fitting = 0;
    past.shared_reads = 0;
    entry->pc = (entry->pc & ~kReadsFirst) | kRestless;
  }
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

// Would a change have been right?
inline bool would_fit(CoverPast& past, CoverWord found) {
  for (const std::uint32_t recent : past.recent) {
    if (recent == found) return true;
  }
  past.recent[past.lookups % 3] = found;
  return false;
}

template <class Words>
[[gnu::always_inline]] inline bool change_restlessly(CoverEntry* entry, CoverPast& past,
                                                     Words* cell) {
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  CoverMemory* memory = cover_thread.memory;
  const CoverSelf self = entry->self();
  const auto word = static_cast<CoverWord>(found);
  const std::uint64_t key = std::uint64_t{word} << 32 | self.access;
  CoverTransition* recent = recent_transition(memory->recent, key);
  Words to;
  // (Both halves of a word are mostly the same.)
  if (sizeof(Words) == 4 ||
      __builtin_expect(static_cast<CoverWord>(std::uint64_t{found} >> 32) == word, 1)) {
    // (In this order, here and below: a signal handler may come in the middle.)
    CoverWord next = recent->to;
    asm volatile("" ::: "memory");
    if (recent->key != key) {
      KnownChange change;
      if (!find_change(memory, self, word, &change)) return false;
      next = change.to;
      recent->key = 0;
      asm volatile("" ::: "memory");
      recent->to = next;
      asm volatile("" ::: "memory");
      recent->key = key;
    }
    to = static_cast<Words>(std::uint64_t{next} << 32 | next);
  } else {
    bool is_shared_read;
    if (!find_changes(memory, self, found, &to, &is_shared_read)) return false;
  }
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  const std::uint32_t lookup = ++past.lookups;
  if (__builtin_expect(lookup <= kPatience + kTrial, 0))
    past.fitting += found == to || would_fit(past, static_cast<CoverWord>(found));
  if (__builtin_expect(lookup >= kWhile, 0) ||
      __builtin_expect(lookup == kPatience + kTrial && past.fitting >= kEnough, 0)) {
    past.lookups = 0;
    entry->pc &= ~kRestless;
  }
  return true;
}

// The part of the hot path that is not: nobody knows. The words are `step` bytes apart.
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
  know_change(memory, self, low, low_to);
  CoverWord high_to = low_to;
  if (high != low) {
    high_to = recorder.next(high, address + step);
    know_change(memory, self, high, high_to);
  }
  const auto to = static_cast<Words>(std::uint64_t{high_to} << 32 | low_to);
  const bool is_shared_read = cover_states.is_shared_read(low, self.access);
  remember(entry, is_shared_read ? kNoWords : found, to);
  if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

}  // namespace snag::rt
