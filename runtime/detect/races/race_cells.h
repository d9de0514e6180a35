// The fast path of the race detector: checks an access against a cell of the shadow memory (see
// races.h). Usually the earlier accesses are ordered before this one, which replaces them in the
// cell. Inline: most accesses that are new to a cell take this path.
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

// In RaceCell::read_at: the entry for the last read is really a second write, to other bytes of the
// cell and at another place than `write`, in the same epoch of the same thread. Strings have many
// of them: the copy ends within a word, and then comes the terminating zero.
inline constexpr std::uint32_t kAlsoWrite = 1u << 31;

[[gnu::always_inline]] inline bool has_second_write(const RaceCell& cell) {
  return (cell.read_at & kAlsoWrite) != 0 && epoch_of(cell.read) >= kFirstEpoch;
}

// Where a plain access is in the code, as cells keep it.
[[gnu::always_inline]] inline std::uint32_t place_of_plain(std::uint64_t pc) {
  return static_cast<std::uint32_t>(code_position(pc)) & ~kAlsoWrite;
}

// The properties of an access that a check of a cell needs.
struct CellAccess {
  std::uint32_t oldest;  // earlier epochs belong to variables that were here before
  std::uint32_t word;    // without the bytes
  Tid thread;
  bool write, atomic;
};

// ---- Stacks are reused by one thread after the other. ----

// The same for another thread's stack.
std::uint32_t oldest_epoch_of_stack(std::uint64_t address);

// The first epoch of the variables that are at this address now: older accesses in a cell were to
// other variables.
[[gnu::always_inline]] inline std::uint32_t oldest_epoch(std::uint64_t address) {
  const Context* mine = sched.current->context;
  if (address - mine->stack_begin < mine->stack_size)
    return thread_clocks[sched.current->tid].stack_birth;
  // (The stack that is not among these is that of the first thread, which is as old as the run.)
  if (__builtin_expect(!made_stacks.may_hold(address), 1)) return run_epoch;
  return oldest_epoch_of_stack(address);
}

[[gnu::always_inline]] inline CellAccess current_access(std::uint64_t address, bool write,
                                                        bool atomic) {
  const Tid thread = sched.current->tid;
  return {oldest_epoch(address), epoch_words[thread] | (atomic ? 1u : 0u), thread, write, atomic};
}

// ---- Cells. ----

RaceCell* make_race_leaf(std::uint64_t address);

// Null if there is no leaf for the address yet.
[[gnu::always_inline]] inline RaceCell* used_cell_at(std::uint64_t address) {
  RaceCell* leaf = race_leaves[(address >> kRaceLeafShift) & (kRaceLeaves - 1)];
  return leaf ? &leaf[(address >> 2) & (kRaceLeafCells - 1)] : nullptr;
}
[[gnu::always_inline]] inline RaceCell* cell_at(std::uint64_t address) {
  RaceCell* leaf = race_leaves[(address >> kRaceLeafShift) & (kRaceLeaves - 1)];
  if (__builtin_expect(!leaf, 0)) leaf = make_race_leaf(address);
  return &leaf[(address >> 2) & (kRaceLeafCells - 1)];
}

// Whether the cell already has an access by this thread, to the same bytes in the same epoch, that
// is at least as strong. The place of the first such access stays.
[[gnu::always_inline]] inline bool is_known(const RaceCell& cell, const CellAccess& access,
                                            std::uint32_t bytes) {
  const std::uint32_t word = access.word | bytes << 1;
  const std::uint32_t counts = ~kAllBytes | bytes << 1;
  return (cell.write & counts) == word || (!access.write && (cell.read & counts) == word);
}

// Whether the earlier access cannot race with this one: there is none, it was to another variable,
// or it happened before.
[[gnu::always_inline]] inline bool is_before(std::uint32_t word, const CellAccess& access) {
  if (word == 0) return true;
  const std::uint32_t number = epoch_of(word);
  if (number < access.oldest) return number >= kFirstEpoch;
  return number == epoch_of(access.word) || epochs[number - run_epoch].thread == access.thread ||
         happened_before(number, access.thread);
}

// Whether this access may replace the earlier one: it is ordered after it and covers its bytes.
[[gnu::always_inline]] inline bool is_replaced(std::uint32_t word, const CellAccess& access,
                                               std::uint32_t bytes) {
  if (!is_before(word, access)) return false;
  if (word == 0 || bytes_of(word) == bytes || epoch_of(word) < access.oldest) return true;
  // (An atomic access races with less, so it must not replace a plain one.)
  return (bytes_of(word) & ~bytes) == 0 && !access.atomic;
}

// Whether the fast path may store the access. (An atomic read must not replace a plain one, which
// races with more.)
[[gnu::always_inline]] inline bool is_in_order(const RaceCell& cell, const CellAccess& access,
                                               std::uint32_t bytes) {
  if (__builtin_expect(has_second_write(cell), 0) && epoch_of(cell.read) >= access.oldest &&
      (access.atomic || !access.write))
    return false;
  if (access.write)
    return is_replaced(cell.write, access, bytes) && is_replaced(cell.read, access, bytes);
  return is_before(cell.write, access) && is_replaced(cell.read, access, bytes) &&
         (!access.atomic || cell.read == 0 || is_atomic(cell.read));
}

// Stores the access as the last one. (Field by field, never the whole cell at once: it is likely to
// be read again at once, and a load that is narrower or wider than the pending store would stall.)
[[gnu::always_inline]] inline void store_access(RaceCell& cell, const CellAccess& access,
                                                std::uint32_t bytes, std::uint32_t place) {
  const std::uint32_t word = access.word | bytes << 1;
  if (access.write) {
    // A plain write of the same thread and epoch races with more than this atomic one: keep it.
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

// Whether the entry is empty, or an access of this thread and epoch to no more than `bytes`. `mine`
// is the epoch's word.
[[gnu::always_inline]] inline bool is_own_or_none(std::uint32_t word, std::uint32_t mine,
                                                  std::uint32_t bytes) {
  return word == 0 || ((word ^ mine) & ~(bytes << 1 | 1)) == 0;
}

// Stores a plain access in a cell that remembers each byte by itself. False, with no change, if the
// cell has an access that is not by this thread in this epoch.
bool note_own_bytes(RaceCell& cell, std::uint64_t address, std::uint32_t bytes, std::uint32_t place,
                    bool write);

// Slow path: handles every case.
void check_slow_path(std::uint64_t address, std::uint64_t size, bool write, bool atomic,
                     std::uint64_t pc);

}  // namespace snag::rt
