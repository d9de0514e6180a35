// Implements races.h: the fast path of plain accesses that are new to the shadow memory: the cell
// is empty, or has an access of the same thread, which the new one replaces. races.cc handles all
// others.
#include "runtime/base/modules.h"
#include "runtime/detect/races/race_cells.h"
#include "runtime/detect/races/races.h"

namespace snag::rt {
namespace {

// The bytes of a word that are written or read one after the other in a loop are noted together. At
// different places, each needs its own.
[[gnu::always_inline]] inline bool is_continued(std::uint32_t word, std::uint32_t at,
                                                std::uint32_t mine, std::uint32_t place) {
  return ((word ^ mine) & ~kAllBytes) == 0 && at == place;
}

// Records the access if it can. `bytes` is a constant if the access covers the whole cell.
template <bool write>
[[gnu::always_inline]] inline bool note_own(RaceCell& cell, std::uint32_t mine, std::uint32_t bytes,
                                            std::uint32_t place) {
  const std::uint32_t earlier_write = cell.write, earlier_read = cell.read;
  if (write) {
    if (!is_own_or_none(earlier_write, mine, bytes) || !is_own_or_none(earlier_read, mine, bytes))
      return false;
    cell.write = mine | bytes << 1;
    cell.write_at = place;
    cell.read = cell.read_at = 0;
    return true;
  }
  if (!is_own_or_none(earlier_write, mine, 0xf) || !is_own_or_none(earlier_read, mine, bytes) ||
      __builtin_expect((cell.read_at & kAlsoWrite) != 0 && earlier_read != 0, 0))
    return false;
  cell.read = mine | bytes << 1;
  cell.read_at = place;
  return true;
}

// The same for some bytes of a cell, when the same thread accessed other bytes of it in this epoch.
// (Never splits the cell: that takes a list.)
template <bool write>
bool note_own_part(RaceCell& cell, std::uint32_t mine, std::uint32_t bytes, std::uint32_t place) {
  const bool only_own = ((cell.write ^ mine) & ~kAllBytes) == 0 &&
                        (cell.read == 0 || ((cell.read ^ mine) & ~kAllBytes) == 0);
  if (!only_own) {
    // (A loop makes many that are only reads.)
    if (write || cell.write != 0 || !is_continued(cell.read, cell.read_at, mine, place))
      return false;
    cell.read |= bytes << 1;
    return true;
  }
  const bool two = has_second_write(cell);
  const std::uint32_t written = bytes_of(cell.write), others = bytes_of(cell.read);
  if (!write) {
    if (((written | (two ? others : 0)) & bytes) == bytes) return true;  // nothing new
    if (two || !is_continued(cell.read, cell.read_at, mine, place)) return false;
    cell.read |= bytes << 1;
    return true;
  }
  if (two && (others & bytes) == bytes) return true;  // known
  if ((others & ~bytes) != 0) return false;           // it is of a read, or at a third place
  if (!two && is_continued(cell.write, cell.write_at, mine, place)) {
    cell.write |= bytes << 1;
    cell.read = cell.read_at = 0;
    return true;
  }
  // (Only some of the bytes written are written again: all of them would have been the usual case.)
  cell.write = mine | (written & ~bytes) << 1;
  cell.read = mine | bytes << 1;
  cell.read_at = place | kAlsoWrite;
  return true;
}

// The same for the remaining cases: earlier epochs, ordered accesses of other threads, or bytes of
// the cell that were accessed at different places.
template <bool write>
__attribute__((noinline)) bool note_in_order(RaceCell& cell, std::uint64_t address,
                                             std::uint32_t bytes, std::uint32_t place) {
  if (cell.write == kSplit << 5) return note_own_bytes(cell, address, bytes, place, write);
  if (note_own_part<write>(cell, epoch_words[sched.current->tid], bytes, place)) return true;
  const CellAccess access = current_access(address, write, false);
  if (!is_in_order(cell, access, bytes)) return note_own_bytes(cell, address, bytes, place, write);
  store_access(cell, access, bytes, place);
  return true;
}

// False if races.cc must handle the access. (It then finds what was recorded here so far.)
template <bool write>
[[gnu::always_inline]] inline bool note_access(RaceCell& cell, std::uint64_t address,
                                               std::uint32_t mine, std::uint32_t bytes,
                                               std::uint32_t place) {
  return __builtin_expect(note_own<write>(cell, mine, bytes, place), 1) ||
         note_in_order<write>(cell, address, bytes, place);
}

template <bool write>
void note_range(std::uint64_t address, std::uint64_t size, std::uint64_t pc) {
  const std::uint32_t mine = epoch_words[sched.current->tid];
  const auto place = place_of_plain(pc);
  const std::uint64_t end = address + size;
  std::uint64_t a = address & ~3ull;
  const auto part = [&](RaceCell * cell, std::uint32_t bytes) __attribute__((always_inline)) {
    const std::uint32_t counts = ~kAllBytes | bytes << 1, word = mine | bytes << 1;
    return (cell->write & counts) == word || (!write && (cell->read & counts) == word) ||
           note_access<write>(*cell, a, mine, bytes, place);
  };
  while (a < end) {
    const std::uint64_t leaf_end = (a | ((1ull << kRaceLeafShift) - 1)) + 1;
    const std::uint64_t stop = end < leaf_end ? end : leaf_end;
    RaceCell* cell = cell_at(a);
    if (a < address) {
      const std::uint32_t from = 0xf << (address - a) & 0xf;
      if (!part(cell, a + 4 > end ? from & 0xf >> (a + 4 - end) : from))
        return check_slow_path(address, size, write, false, pc);
      a += 4;
      ++cell;
    }
    for (; a + 4 <= stop; a += 4, ++cell) {
      if (!part(cell, 0xf)) return check_slow_path(address, size, write, false, pc);
    }
    if (a < stop) {
      if (!part(cell, 0xf >> (a + 4 - end)))
        return check_slow_path(address, size, write, false, pc);
      a += 4;
    }
  }
}

}  // namespace

template <std::uint64_t size, bool write>
void race_new(RaceCell* cell, std::uint64_t address, std::uint64_t pc) {
  if (__builtin_expect(keeps_access_records(), 0))
    return check_slow_path(address, size, write, false, pc);
  const std::uint32_t place = place_of_plain(pc);
  if constexpr (size >= 4) {
    const CellAccess access = current_access(address, write, false);
    // Usually both halves have the same history.
    const bool alike =
        size == 4 || (cell[0].write == cell[1].write && cell[0].read == cell[1].read &&
                      (write || ((cell[0].read_at ^ cell[1].read_at) & kAlsoWrite) == 0));
    if (__builtin_expect(is_in_order(cell[0], access, 0xf), 1) &&
        (alike || is_in_order(cell[1], access, 0xf))) {
      store_access(cell[0], access, 0xf, place);
      if (size == 8) store_access(cell[1], access, 0xf, place);
      return;
    }
  }
  const std::uint32_t mine = epoch_words[sched.current->tid];
  const std::uint32_t bytes = size >= 4 ? 0xf : ((1u << size) - 1) << (address & 3);
  if (!note_access<write>(cell[0], address, mine, bytes, place) ||
      (size == 8 && !note_access<write>(cell[1], address, mine, bytes, place)))
    check_slow_path(address, size, write, false, pc);
}

#define SNAG_RACE_NEW(size)                                                     \
  template void race_new<size, false>(RaceCell*, std::uint64_t, std::uint64_t); \
  template void race_new<size, true>(RaceCell*, std::uint64_t, std::uint64_t);
SNAG_RACE_NEW(1)
SNAG_RACE_NEW(2)
SNAG_RACE_NEW(4)
SNAG_RACE_NEW(8)

void race_range(std::uint64_t address, std::uint64_t size, bool write, std::uint64_t pc) {
  if (sched.thread_count == 1) return;  // this thread creates all later threads
  if (__builtin_expect(keeps_access_records(), 0))
    return check_slow_path(address, size, write, false, pc);
  write ? note_range<true>(address, size, pc) : note_range<false>(address, size, pc);
}

namespace {

template <std::uint64_t size, bool write>
void race_sized(std::uint64_t address, std::uint64_t pc) {
  if ((address & (size - 1)) != 0) return race_range(address, size, write, pc);
  RaceCell* cell = cell_at(address);
  if (!race_is_known<size, write>(cell, address)) race_new<size, write>(cell, address, pc);
}

template <std::uint64_t size>
void race_sized(std::uint64_t address, bool write, std::uint64_t pc) {
  write ? race_sized<size, true>(address, pc) : race_sized<size, false>(address, pc);
}

}  // namespace

void race_access(const void* at, std::uint64_t size, bool write, std::uint64_t pc) {
  if (sched.thread_count == 1) return;
  const auto address = reinterpret_cast<std::uint64_t>(at);
  switch (size) {
    case 1:
      return race_sized<1>(address, write, pc);
    case 2:
      return race_sized<2>(address, write, pc);
    case 4:
      return race_sized<4>(address, write, pc);
    case 8:
      return race_sized<8>(address, write, pc);
    default:
      return race_range(address, size, write, pc);
  }
}

}  // namespace snag::rt
