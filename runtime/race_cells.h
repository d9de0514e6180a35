// How an access meets what a cell of the shadow memory remembers (see races.h), in the usual case:
// everything before is of the same bytes, and in order. In line: this is the path of most accesses
// that are new to a cell.
#pragma once

#include "runtime/races.h"

namespace snag::rt {

constexpr std::uint32_t epoch_of(std::uint32_t word) { return word >> 5; }
constexpr std::uint32_t bytes_of(std::uint32_t word) { return word >> 1 & 0xf; }
constexpr bool is_atomic(std::uint32_t word) { return word & 1; }
constexpr std::uint32_t with_bytes(std::uint32_t word, std::uint32_t bytes) {
  return (word & ~kAllBytes) | bytes << 1;
}

// What a look at a cell needs to know of the access.
struct Look {
  std::uint32_t oldest;  // what is remembered from before is of other variables
  std::uint32_t word;    // without the bytes
  Tid thread;
  bool write, atomic;
};

[[gnu::always_inline]] inline bool is_known(const RaceCell& cell, const Look& access,
                                            std::uint32_t bytes) {
  const std::uint32_t word = access.word | bytes << 1;
  return cell.write == word || (!access.write && cell.read == word);
}

// Whether this access need not mind that earlier one: there is none, it was to another variable, or
// to the same bytes and before us.
[[gnu::always_inline]] inline bool is_before(std::uint32_t word, const Look& access,
                                             std::uint32_t bytes) {
  if (word == 0) return true;
  const std::uint32_t number = epoch_of(word);
  if (number < access.oldest) return number >= kFirstEpoch;
  if (bytes_of(word) != bytes) return false;
  return epochs[number - run_epoch].thread == access.thread ||
         happened_before(number, access.thread);
}

// Whether it may be noted without ado. (An atomic read must not take the place of a plain one,
// which races with more.)
[[gnu::always_inline]] inline bool is_in_order(const RaceCell& cell, const Look& access,
                                               std::uint32_t bytes) {
  return is_before(cell.write, access, bytes) && is_before(cell.read, access, bytes) &&
         (!access.atomic || access.write || cell.read == 0 || is_atomic(cell.read));
}

// Makes it the last one. (Number by number, never the whole cell at once: it is likely to be looked
// at again before the processor has written it.)
[[gnu::always_inline]] inline void note(RaceCell& cell, const Look& access, std::uint32_t bytes,
                                        std::uint32_t place) {
  const std::uint32_t word = access.word | bytes << 1;
  if (access.write) {
    // An atomic write says less than the plain one before it by the same thread in the same epoch.
    if (access.atomic && (cell.write | 1) == word) return;
    cell.write = word;
    cell.write_at = place;
    cell.read = cell.read_at = 0;
  } else {
    if (epoch_of(cell.write) < access.oldest) cell.write = 0;
    cell.read = word;
    cell.read_at = place;
  }
}

}  // namespace snag::rt
