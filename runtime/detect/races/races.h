// Data races, by happens-before (FastTrack): two accesses to the same bytes by different threads,
// one of them a write, not both atomic, that no synchronisation puts into an order.
//
// Every 4 bytes of the program's memory have a cell that remembers the last write and the last
// read, by the epoch (see clocks.h) and the place in the code. Smaller accesses to different bytes
// split the cell into single bytes; several unordered readers go into a list. Since only one thread
// runs at a time nothing is approximate: every report is a race of this very run.
#pragma once

#include <cstdint>

#include "arch/arch.h"
#include "protocol/shared_memory.h"
#include "runtime/detect/races/clocks.h"
#include "runtime/detect/races/race_shadow.h"
#include "runtime/record/memory_report.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// Whether this process looks for races at all.
[[gnu::visibility("hidden")]] extern bool race_detection;

// The hooks call the functions below for accesses; race_observer() gets the rare events.

// The cell of an aligned access; null if there is none yet. `leaves` is race_leaves.
template <std::uint64_t size>
[[gnu::always_inline]] inline RaceCell* race_cell(RaceCell** leaves, std::uint64_t a) {
  static_assert(size == 1 || size == 2 || size == 4 || size == 8);
  if ((a & (size - 1)) != 0) return nullptr;
  RaceCell* leaf = leaves[(a >> kRaceLeafShift) & (kRaceLeaves - 1)];
  return leaf ? &leaf[(a >> 2) & (kRaceLeafCells - 1)] : nullptr;
}

// Whether the same thread has made at least as strong an access to these bytes in this epoch. Then
// it passed the heap's checks, too: memory that is freed or becomes part of a red zone is forgotten
// (see race_forget and race_free_and_forget).
template <std::uint64_t size, bool write>
[[gnu::always_inline]] inline bool race_is_known(const RaceCell* cell, std::uint64_t a) {
  const std::uint32_t bytes = size >= 4 ? kAllBytes : ((1u << size) - 1) << 1 << (a & 3);
  const std::uint32_t word = epoch_words[sched.current->tid] | bytes;
  const std::uint32_t counts = size >= 4 ? ~0u : ~kAllBytes | bytes;
  const auto known = [&](const RaceCell& c) {
    return (c.write & counts) == word || (!write && (c.read & counts) == word);
  };
  return known(*cell) && (size <= 4 || known(cell[1]));
}

// A plain access that is new to its cell; see race_plain.cc. There is more than one thread.
template <std::uint64_t size, bool write>
void race_new(RaceCell* cell, std::uint64_t address, std::uint64_t pc);
void race_range(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t pc);

// A plain access of any size.
void race_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc);

// Atomic accesses: after the operation, with what it synchronises.
void race_atomic_load(const volatile void* address, std::uint64_t size, int order,
                      std::uint64_t pc);
void race_atomic_store(const volatile void* address, std::uint64_t size, int order,
                       std::uint64_t pc);
void race_atomic_modify(const volatile void* address, std::uint64_t size, int order,
                        std::uint64_t pc);

// The memory is reused: forgets all accesses to what was there before.
void race_forget(const void* address, std::uint64_t size);
// Freeing is a write to all of it.
void race_free(const void* address, std::uint64_t size, std::uint64_t pc);
// The same, or only forgets if `by_owner`: for memory that no thread can access without a heap
// error until it is reused. Within 4 MiB, aligned.
void race_free_and_forget(const void* address, std::uint64_t size, std::uint64_t pc, bool by_owner);
// The state of memory has changed: the current thread's accesses must be checked again, even if
// they repeat earlier ones.
inline void race_distrust_known() {
  if (race_detection) clock_renew_epoch(sched.current->tid);
}
// Maps the shadow of this memory: the tables, or also their pages, which are about to be used.
// Within 4 MiB, aligned.
void race_prepare(std::uint64_t address);
void race_prepare_pages(std::uint64_t address, std::uint64_t size);

// The current thread and what it synchronises by.
inline void race_acquire(const volatile void* object) {
  if (race_detection) clock_acquire(sched.current->tid, object);
}
inline void race_release(const volatile void* object) {
  if (race_detection) clock_release(sched.current->tid, object);
}
inline void race_release_more(const volatile void* object) {
  if (race_detection) clock_release_more(sched.current->tid, object);
}
// A library is about to synchronise by atomics that are not seen (std::promise does, at the end of
// a thread): from now on every thread that acquires by an atomic also acquires this thread's clock.
inline void race_release_unseen() {
  if (race_detection) clock_release_unseen(sched.current->tid);
}
// A library's destructor at the end of a thread: it may call the program after it has synchronised
// by atomics that are not seen (the reference counts that std::promise and std::notify_all at
// thread exit use). So until it ends, everything that others have done so far counts as ordered
// before it.
inline void race_begin_unseen_end() {
  if (!race_detection) return;
  clock_begin_knowing_all(sched.current->tid, sched.thread_count);
  sched.current->knows_all = true;
}
inline void race_end_unseen_end() {
  if (!sched.current->knows_all) return;
  sched.current->knows_all = false;
  clock_end_knowing_all(sched.current->tid);
}
// Readers of a lock release to a clock of their own next to the lock's: only writers acquire it.
inline const volatile void* readers_of(const volatile void* lock) {
  return static_cast<const volatile char*>(lock) + 1;
}

// A code position, as cells keep it, and back.
std::uint64_t race_pc(std::uint32_t place);

// In race_report.cc.
struct RaceSide {
  std::uint32_t epoch;
  std::uint32_t place;
  bool write, atomic;
};
void init_race_reports();
void report_race(const RaceSide& earlier, const ReportedAccess& later);
// Whether this run keeps the callers and locks of every access, to report them with a race.
inline bool keeps_access_records() { return sched.frames != nullptr; }
std::uint32_t record_access(std::uint64_t pc, std::uint64_t address, std::uint64_t size,
                            bool is_free);
void begin_access_records();

}  // namespace snag::rt
