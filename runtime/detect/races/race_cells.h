// How an access meets what a cell of the shadow memory remembers (see races.h), in the usual case:
// everything before is in order, and this access takes its place. In line: this is the path of most
// accesses that are new to a cell.
#pragma once

#include "runtime/base/modules.h"
#include "runtime/detect/races/clocks.h"
#include "runtime/detect/races/race_shadow.h"
#include "runtime/sched/context.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

constexpr std::uint32_t epoch_of(std::uint32_t word) { return word >> 5; }
constexpr std::uint32_t bytes_of(std::uint32_t word) { return word >> 1 & 0xf; }
constexpr bool is_atomic(std::uint32_t word) { return word & 1; }
constexpr std::uint32_t with_bytes(std::uint32_t word, std::uint32_t bytes) {
  return (word & ~kAllBytes) | bytes << 1;
}

// Instead of an epoch in RaceCell::write: `write_at` is the number of four cells, one for each
// byte.
inline constexpr std::uint32_t kSplit = 1;

// In RaceCell::read_at: what stands there for the last read is a write, to other bytes of the cell
// and at another place than `write`, in the same epoch of the same thread. Strings are full of
// them: what is copied ends within a word, and then comes the zero.
inline constexpr std::uint32_t kAlsoWrite = 1u << 31;

[[gnu::always_inline]] inline bool has_second_write(const RaceCell& cell) {
  return (cell.read_at & kAlsoWrite) != 0 && epoch_of(cell.read) >= kFirstEpoch;
}

// Where a plain access is in the code, as cells keep it.
[[gnu::always_inline]] inline std::uint32_t place_of_plain(std::uint64_t pc) {
  return static_cast<std::uint32_t>(code_position(pc)) & ~kAlsoWrite;
}

// What a look at a cell needs to know of the access.
struct Look {
  std::uint32_t oldest;  // what is remembered from before is of other variables
  std::uint32_t word;    // without the bytes
  Tid thread;
  bool write, atomic;
};

// ---- Stacks are given to one thread after the other. ----

// Of a stack that is not the current thread's own.
std::uint32_t oldest_epoch_of_stack(std::uint64_t address);

// Epochs from which on what is remembered of this address is of the variables that are there now.
[[gnu::always_inline]] inline std::uint32_t oldest_epoch(std::uint64_t address) {
  const Context* mine = sched.current->context;
  if (address - mine->stack_begin < mine->stack_size)
    return thread_clocks[sched.current->tid].stack_birth;
  // (The stack that is not among these is that of the first thread, which is as old as the run.)
  if (__builtin_expect(!made_stacks.may_hold(address), 1)) return run_epoch;
  return oldest_epoch_of_stack(address);
}

[[gnu::always_inline]] inline Look look_now(std::uint64_t address, bool write, bool atomic) {
  const Tid thread = sched.current->tid;
  return {oldest_epoch(address), epoch_words[thread] | (atomic ? 1u : 0u), thread, write, atomic};
}

// ---- Cells. ----

RaceCell* make_race_leaf(std::uint64_t address);

// Null if nothing is known of any address near.
[[gnu::always_inline]] inline RaceCell* used_cell_at(std::uint64_t address) {
  RaceCell* leaf = race_leaves[(address >> kRaceLeafShift) & (kRaceLeaves - 1)];
  return leaf ? &leaf[(address >> 2) & (kRaceLeafCells - 1)] : nullptr;
}
[[gnu::always_inline]] inline RaceCell* cell_at(std::uint64_t address) {
  RaceCell* leaf = race_leaves[(address >> kRaceLeafShift) & (kRaceLeaves - 1)];
  if (__builtin_expect(!leaf, 0)) leaf = make_race_leaf(address);
  return &leaf[(address >> 2) & (kRaceLeafCells - 1)];
}

// Whether the thread has done as much to these bytes since it last synchronised. The place of the
// first such access stays.
[[gnu::always_inline]] inline bool is_known(const RaceCell& cell, const Look& access,
                                            std::uint32_t bytes) {
  const std::uint32_t word = access.word | bytes << 1;
  const std::uint32_t counts = ~kAllBytes | bytes << 1;
  return (cell.write & counts) == word || (!access.write && (cell.read & counts) == word);
}

// Whether this access need not mind that earlier one: there is none, it was to another variable, or
// before us.
[[gnu::always_inline]] inline bool is_before(std::uint32_t word, const Look& access) {
  if (word == 0) return true;
  const std::uint32_t number = epoch_of(word);
  if (number < access.oldest) return number >= kFirstEpoch;
  return number == epoch_of(access.word) || epochs[number - run_epoch].thread == access.thread ||
         happened_before(number, access.thread);
}

// Whether it may be forgotten for this access, which says as much about all of its bytes.
[[gnu::always_inline]] inline bool is_replaced(std::uint32_t word, const Look& access,
                                               std::uint32_t bytes) {
  if (!is_before(word, access)) return false;
  if (word == 0 || bytes_of(word) == bytes || epoch_of(word) < access.oldest) return true;
  // (An atomic access says less.)
  return (bytes_of(word) & ~bytes) == 0 && !access.atomic;
}

// Whether it may be noted without ado. (An atomic read must not take the place of a plain one,
// which races with more.)
[[gnu::always_inline]] inline bool is_in_order(const RaceCell& cell, const Look& access,
                                               std::uint32_t bytes) {
  if (__builtin_expect(has_second_write(cell), 0) && epoch_of(cell.read) >= access.oldest &&
      (access.atomic || !access.write))
    return false;
  if (access.write)
    return is_replaced(cell.write, access, bytes) && is_replaced(cell.read, access, bytes);
  return is_before(cell.write, access) && is_replaced(cell.read, access, bytes) &&
         (!access.atomic || cell.read == 0 || is_atomic(cell.read));
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

// Whether there is nothing, or something of this thread in this epoch that `bytes` covers. `mine`
// is the epoch's word.
[[gnu::always_inline]] inline bool is_own_or_none(std::uint32_t word, std::uint32_t mine,
                                                  std::uint32_t bytes) {
  return word == 0 || ((word ^ mine) & ~(bytes << 1 | 1)) == 0;
}

// A plain access to some bytes of a cell of which each has to be remembered by itself. False if
// anything there is not the thread's own, in this epoch: then nothing has been done.
bool note_own_bytes(RaceCell& cell, std::uint64_t address, std::uint32_t bytes, std::uint32_t place,
                    bool write);

// In every case, by whoever the quick ways are closed to.
void check_every_case(std::uint64_t address, std::uint64_t size, bool write, bool atomic,
                      std::uint64_t pc);

}  // namespace snag::rt
