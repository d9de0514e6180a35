// The hot path of measuring coverage in a program that runs freely.
//
// Every 4 bytes of the program's memory have a word of shadow memory with what has happened to them
// (see runtime/cover_states.h), at a fixed distance. Each thread remembers for each instruction how
// its last access changed the word: mostly the next one finds the same word, and is done with a
// load, a comparison and perhaps a store. Nothing is locked: threads that access the same variable
// at the very same time may be taken in another order, or one of them may be missed.
#pragma once

#include <cstdint>

#include "runtime/cover_states.h"

namespace snag::rt {

// Where the shadow of an address lies: its bit 45 turned round, and some way farther. (The
// processor takes a load that is a multiple of 4096 bytes behind a store for one of the same
// address, and waits. And processors of AMD look for a line in the nearest cache by a hash of the
// lower half of its address: if the way were short, a line of the program and the shadow of one
// close by would drive each other out.)
inline constexpr std::uint64_t kPlaneBit = 1ull << 45;
inline constexpr std::uint64_t kPlaneOffset = 0xa5b5a80;

[[gnu::always_inline]] inline std::uint64_t cover_shadow(std::uint64_t address) {
  return (address ^ kPlaneBit) + kPlaneOffset;
}
inline CoverWord* cover_word(std::uint64_t address) {
  return reinterpret_cast<CoverWord*>(cover_shadow(address & ~std::uint64_t{3}));
}

// In place of a word whose bytes have words of their own.
inline constexpr CoverWord kSplitWord = 0xffffffff;
// Words that no variable has.
inline constexpr std::uint64_t kNoWords = 0xfffffffe'fffffffe;

// A CoverAccess as a number whose bits are all different for different ones: see CoverRead.
inline constexpr std::uint64_t kKeyFactor = 0x9e3779b97f4a7c15, kKeyInverse = 0xf1de83e19937733d;
static_assert(kKeyFactor * kKeyInverse == 1);
constexpr std::uint64_t key_of(CoverAccess access) { return access * kKeyFactor; }

// How the last accesses at `pc` changed what they found, in no order. Of accesses to 4 bytes
// only the lower halves count.
struct CoverEntry {
  struct Change {
    std::uint64_t from, to;
  };
  std::uint64_t pc;  // 0: none
  Change changes[3];
  std::uint64_t access_key;

  CoverAccess access() const { return static_cast<CoverAccess>(access_key * kKeyInverse); }
};
static_assert(sizeof(CoverEntry) == 64);
inline constexpr std::uint64_t kCoverEntries = 8192;

// What decides which changes an entry has. Not needed as long as they are the right ones.
struct CoverPast {
  std::uint32_t lookups;    // in CoverMemory::transitions, for want of a change: see passed_over()
  std::uint32_t fitting;    // of those on trial: how many three changes would have been right for
  std::uint32_t recent[3];  // what these would be from
};

// The same for whatever a word was and whatever happened to it.
struct CoverTransition {
  std::uint64_t key;  // from << 32 | CoverAccess
  CoverWord to;
  std::uint32_t is_shared_read;  // one thread reads what another one has read
};
// (Tables that threads fill and look up make thousands; what is driven out has to be found anew.)
inline constexpr std::uint64_t kCoverTransitions = 1 << 16;
[[gnu::always_inline]] inline CoverTransition* cover_transition(CoverTransition* all,
                                                                std::uint64_t key) {
  return &all[(key * 0x9e3779b97f4a7c15) >> (64 - __builtin_ctzll(kCoverTransitions))];
}

// Where several threads read the same data, each of them would write its shadow again and again,
// and the cache lines would go to and fro. But reads that nothing orders have no order: a thread
// that reads a variable again, at the same place, before it has learned of anybody else through a
// lock or the like, may as well have done so when it read it first. So it leaves the word alone.
// What it read: where, what, CoverThread::epoch, and the word that it found, all in one number.
// (That two of them are the same by accident is as likely as for any two numbers of 64 bits.)
using CoverRead = std::uint64_t;
inline constexpr std::uint64_t kCoverReads = 1 << 14;
[[gnu::always_inline]] inline CoverRead* cover_read(CoverRead* all, std::uint64_t key,
                                                    std::uint64_t address) {
  return reinterpret_cast<CoverRead*>(reinterpret_cast<char*>(all) +
                                      ((key + address) & ((kCoverReads - 1) * sizeof(CoverRead))));
}
[[gnu::always_inline]] inline CoverRead cover_reading(std::uint64_t key, std::uint64_t address,
                                                      std::uint64_t epoch, std::uint64_t found) {
  return (key + address) ^ epoch ^ found;
}

// What a thread remembers, in memory of its own.
struct CoverMemory {
  // By the address of the instruction, so that neighbours never meet; calls are 5 bytes long.
  CoverEntry entries[kCoverEntries];
  CoverPast pasts[kCoverEntries];  // of the entries
  CoverTransition transitions[kCoverTransitions];
  CoverRead reads[kCoverReads];
  std::uint32_t turn;  // which of an instruction's changes makes room for the next one
  CoverEntry unknown;  // of an instruction for which nothing is remembered
  CoverMemory* next_free;
};

struct CoverStack;  // see runtime/cover_methods.h

struct CoverThread {
  CoverEntry* entries;  // of `memory`; before that, some that never fit
  CoverMemory* memory;  // null: none yet
  std::uint64_t calls;  // of functions, not added to the store's yet
  CoverStack* stack;    // if anybody wants stacks
  std::uint64_t epoch;  // another one whenever it may have learned of what others did
  std::uint32_t bits;   // the thread, as in CoverAccess
  bool has_number;
  bool is_busy;  // in the recorder: what a signal handler does meanwhile is not measured
  bool is_lost;  // one too many
};
[[gnu::visibility("hidden")]] extern CoverEntry no_entries[kCoverEntries];
extern thread_local constinit CoverThread cover_thread
    __attribute__((tls_model("local-exec"), visibility("hidden")));

// What is not as usual, and every access to less than 4 bytes.
void cover_slowly(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc);

// The thread is about to wait for others, or to look at what they left.
inline void cover_learns() { cover_thread.epoch += 0xbf58476d1ce4e5b9; }

[[gnu::always_inline]] inline CoverEntry* cover_entry(std::uint64_t pc) {
  return reinterpret_cast<CoverEntry*>(reinterpret_cast<char*>(cover_thread.entries) +
                                       ((pc << 4) & ((kCoverEntries - 1) * sizeof(CoverEntry))));
}

// Done if what lies at the address of the access is known to the entry. If the address is not that
// of a word, what is found there is nothing that is known, or nobody's: only then it matters.
template <class Words>
[[gnu::always_inline]] inline bool cover_known(const CoverEntry* entry, std::uint64_t address,
                                               std::uint32_t kind) {
  auto* cell = reinterpret_cast<Words*>(cover_shadow(address));
  const Words found = __atomic_load_n(cell, __ATOMIC_RELAXED);
  const auto* changes = entry->changes;
  Words to;
  if (found == static_cast<Words>(changes[0].from)) {
    to = static_cast<Words>(changes[0].to);
  } else if (found == static_cast<Words>(changes[1].from)) {
    to = static_cast<Words>(changes[1].to);
  } else if (found == static_cast<Words>(changes[2].from)) {
    to = static_cast<Words>(changes[2].to);
  } else {
    // The same again changes nothing.
    CoverRead* read = nullptr;
    CoverRead reading = 0;
    if (kind == kReads) {
      auto* memory = reinterpret_cast<CoverMemory*>(cover_thread.entries);
      read = cover_read(memory->reads, entry->access_key, address);
      reading = cover_reading(entry->access_key, address, cover_thread.epoch, found);
      if (__builtin_expect(*read == reading, 1)) return true;
    }
    const bool same = found == static_cast<Words>(changes[0].to) ||
                      found == static_cast<Words>(changes[1].to) ||
                      found == static_cast<Words>(changes[2].to);
    // (Who was the last to read may be a matter of luck, and no processor would guess which of the
    // two ways it is: next time it is the one above.)
    if (kind == kReads && same) *read = reading;
    return same;
  }
  if (__builtin_expect((address & 3) != 0, 0)) return false;
  __atomic_store_n(cell, to, __ATOMIC_RELAXED);
  return true;
}

[[gnu::always_inline]] inline void cover_access(const volatile void* address, std::uint64_t size,
                                                std::uint32_t kind, std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if (size >= 4) {
    const CoverEntry* entry = cover_entry(pc);
    if (__builtin_expect(entry->pc == pc, 1)) {
      // (To take the first half of 16 bytes twice does no harm.)
      const bool known = size == 4   ? cover_known<std::uint32_t>(entry, a, kind)
                         : size == 8 ? cover_known<std::uint64_t>(entry, a, kind)
                                     : cover_known<std::uint64_t>(entry, a, kind) &&
                                           cover_known<std::uint64_t>(entry, a + 8, kind);
      if (__builtin_expect(known, 1)) return;
    }
  }
  cover_slowly(address, size, kind, pc);
}

}  // namespace snag::rt
