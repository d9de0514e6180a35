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

// The distance is also one within a page: the processor takes a load that is a multiple of 4096
// bytes behind a store for one of the same address, and waits.
inline constexpr std::uint64_t kPlane = 0x2000'0000'0a80;
// Within so many bytes the order of the words is that of the memory.
inline constexpr std::uint64_t kPlaneChunk = 0x80;

inline CoverWord* cover_word(std::uint64_t address) {
  return reinterpret_cast<CoverWord*>((address & ~std::uint64_t{3}) ^ kPlane);
}

// In place of a word whose bytes have words of their own.
inline constexpr CoverWord kSplitWord = 0xffffffff;

// How the access at `pc` changed what it found. Of an access to 4 bytes only the lower halves
// count.
struct CoverEntry {
  std::uint64_t pc;  // 0: none
  std::uint64_t from, to;
  std::uint64_t reserved;
};
static_assert(sizeof(CoverEntry) == 32);
inline constexpr std::uint64_t kCoverEntries = 8192;

// The same for whatever a word was and whatever happened to it.
struct CoverTransition {
  std::uint64_t key;  // from << 32 | CoverAccess
  CoverWord to;
  std::uint32_t reserved;
};
inline constexpr std::uint64_t kCoverTransitions = 8192;

// What a thread remembers, in memory of its own.
struct CoverMemory {
  // By the address of the instruction, so that neighbours never meet; calls are 5 bytes long.
  CoverEntry entries[kCoverEntries];
  CoverTransition transitions[kCoverTransitions];
  CoverMemory* next_free;
};

struct CoverThread {
  CoverEntry* entries;  // of `memory`; before that, some that never fit
  CoverMemory* memory;  // null: none yet
  std::uint64_t calls;  // of functions, not added to the store's yet
  std::uint32_t bits;   // the thread, as in CoverAccess
  bool has_number;
  bool is_busy;  // in the recorder: what a signal handler does meanwhile is not measured
  bool is_lost;  // one too many
};
extern CoverEntry no_entries[kCoverEntries];
extern thread_local constinit CoverThread cover_thread __attribute__((tls_model("initial-exec")));

// What is not as usual, and every access to less than 4 bytes.
void cover_slowly(const volatile void* address, std::uint64_t size, std::uint32_t kind,
                  std::uint64_t pc);

[[gnu::always_inline]] inline CoverEntry* cover_entry(std::uint64_t pc) {
  return reinterpret_cast<CoverEntry*>(reinterpret_cast<char*>(cover_thread.entries) +
                                       ((pc << 3) & ((kCoverEntries - 1) * sizeof(CoverEntry))));
}

[[gnu::always_inline]] inline void cover_access(const volatile void* address, std::uint64_t size,
                                                std::uint32_t kind, std::uint64_t pc) {
  const auto a = reinterpret_cast<std::uint64_t>(address);
  if (size == 8 || size == 4) {
    const CoverEntry* entry = cover_entry(pc);
    if (__builtin_expect((entry->pc == pc) & ((a & (size - 1)) == 0), 1)) {
      if (size == 8) {
        auto* cell = reinterpret_cast<std::uint64_t*>(a ^ kPlane);
        const std::uint64_t found = __atomic_load_n(cell, __ATOMIC_RELAXED);
        if (__builtin_expect(found == entry->from, 1)) {
          if (entry->to != found) __atomic_store_n(cell, entry->to, __ATOMIC_RELAXED);
          return;
        }
      } else {
        auto* cell = reinterpret_cast<std::uint32_t*>(a ^ kPlane);
        const std::uint32_t found = __atomic_load_n(cell, __ATOMIC_RELAXED);
        if (__builtin_expect(found == static_cast<std::uint32_t>(entry->from), 1)) {
          const auto to = static_cast<std::uint32_t>(entry->to);
          if (to != found) __atomic_store_n(cell, to, __ATOMIC_RELAXED);
          return;
        }
      }
    }
  }
  cover_slowly(address, size, kind, pc);
}

}  // namespace snag::rt
