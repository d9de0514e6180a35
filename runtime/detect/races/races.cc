#include "runtime/detect/races/races.h"

#include <sys/mman.h>

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "runtime/base/modules.h"
#include "runtime/detect/races/benign_ranges.h"
#include "runtime/detect/races/race_cells.h"

namespace snag::rt {

constinit bool race_detection = false;
constinit RaceCell** race_leaves = nullptr;

namespace {

// Instead of an epoch in RaceCell: `read_at` is the number of a Reader. See also kSplit.
constexpr std::uint32_t kManyReaders = 2;

// A cell whose bytes are accessed in different ways: one cell for each byte.
struct Split {
  std::uint32_t epoch;  // when it was made
  RaceCell bytes[4];
};
// A list of unordered reads since the last write.
struct Reader {
  std::uint32_t word, at;
  std::uint32_t next;  // number of the next one, 0: none
  std::uint32_t epoch;
};

// The entries of a run, by numbers from 1 that are never reused in this process: cells may still
// hold numbers of earlier runs.
template <class T>
class NumberedEntries {
 public:
  T& operator[](std::uint32_t number) { return entries_[number - before_ - 1]; }
  bool is_of_this_run(std::uint32_t number) const { return number > before_; }
  std::uint32_t add(const T& entry) {
    entries_.push_back(entry);
    SNAG_CHECK(entries_.size() < UINT32_MAX - before_,
               "the run has too many accesses to parts of words to be checked: use --races=off");
    return before_ + static_cast<std::uint32_t>(entries_.size());
  }
  void begin_run() {
    before_ += static_cast<std::uint32_t>(entries_.size());
    entries_.clear();
  }
  bool is_nearly_used_up() const { return before_ > UINT32_MAX / 4 * 3; }
  void restart_numbers() { before_ = 0; }

 private:
  MmapVector<T> entries_;
  std::uint32_t before_ = 0;
};
constinit NumberedEntries<Split> splits;
constinit std::uint32_t free_split = 0;  // first of the free list; the next one is in `epoch`
constinit NumberedEntries<Reader> readers;

struct Access : CellAccess {
  bool is_free;
  std::uint64_t pc, begin, size;
  std::uint32_t place;  // 0: not computed yet
};

std::uint32_t place_of(Access& access) {
  if (access.place == 0) {
    access.place = keeps_access_records()
                       ? record_access(access.pc, access.begin, access.size, access.is_free)
                       : place_of_plain(access.pc);
  }
  return access.place;
}

// ---- The slow path, cell by cell. ----

bool is_current(std::uint32_t word, const Access& access) {
  return epoch_of(word) >= access.oldest;
}

void drop_old(RaceCell& cell, const Access& access) {
  if (epoch_of(cell.write) == kSplit) {
    if (!splits.is_of_this_run(cell.write_at) || splits[cell.write_at].epoch < access.oldest)
      cell = {};
    return;
  }
  if (cell.write != 0 && !is_current(cell.write, access)) cell.write = 0;
  if (epoch_of(cell.read) == kManyReaders) {
    if (!readers.is_of_this_run(cell.read_at) || readers[cell.read_at].epoch < access.oldest)
      cell.read = 0;
  } else if (cell.read != 0 && !is_current(cell.read, access)) {
    cell.read = 0;
  }
}

// In the same order.
std::uint32_t copy_readers(std::uint32_t from) {
  std::uint32_t first = 0, last = 0;
  for (; from != 0; from = readers[from].next) {
    const Reader reader = readers[from];
    const std::uint32_t copy = readers.add({reader.word, reader.at, 0, reader.epoch});
    (last == 0 ? first : readers[last].next) = copy;
    last = copy;
  }
  return first;
}

void split(RaceCell& cell, std::uint32_t epoch) {
  Split parts{epoch, {}};
  for (std::uint32_t i = 0; i < 4; ++i) {
    if (bytes_of(cell.write) >> i & 1) {
      parts.bytes[i].write = with_bytes(cell.write, 0xf);
      parts.bytes[i].write_at = cell.write_at;
    }
    if (!(bytes_of(cell.read) >> i & 1)) continue;
    if (has_second_write(cell)) {
      parts.bytes[i].write = with_bytes(cell.read, 0xf);
      parts.bytes[i].write_at = cell.read_at & ~kAlsoWrite;
    } else {
      parts.bytes[i].read = with_bytes(cell.read, 0xf);
      // (Each byte has a list of its own: a thread that reads one of them again reuses its entry
      // there.)
      parts.bytes[i].read_at =
          epoch_of(cell.read) == kManyReaders ? copy_readers(cell.read_at) : cell.read_at;
    }
  }
  std::uint32_t number = free_split;
  if (number == 0) {
    number = splits.add(parts);
  } else {
    free_split = splits[number].epoch;
    splits[number] = parts;
  }
  cell = {kSplit << 5, number, 0, 0};
}

void give_back_split(const RaceCell& cell) {
  splits[cell.write_at].epoch = free_split;
  free_split = cell.write_at;
}

// A write to all bytes that is ordered after all earlier accesses turns a split cell back into one.
bool merge_split(RaceCell& cell, Access& access) {
  if (!access.write || access.atomic) return false;
  Split& parts = splits[cell.write_at];
  for (const RaceCell& part : parts.bytes) {
    if (!is_in_order(part, access, 0xf)) return false;
  }
  give_back_split(cell);
  cell = {access.word | kAllBytes, place_of(access), 0, 0};
  return true;
}

// Whether the cell is split, and these bytes have only accesses by this thread in this epoch.
bool is_split_and_own(const RaceCell& cell, std::uint32_t mine, std::uint32_t bytes) {
  if (epoch_of(cell.write) != kSplit || !splits.is_of_this_run(cell.write_at)) return false;
  const RaceCell* part = splits[cell.write_at].bytes;
  for (; bytes != 0; bytes >>= 1, ++part) {
    if ((bytes & 1) &&
        (!is_own_or_none(part->write, mine, 0xf) || !is_own_or_none(part->read, mine, 0xf)))
      return false;
  }
  return true;
}

void report_pair(const Access& access, std::uint32_t word, std::uint32_t at, bool wrote) {
  const RaceSide earlier{epoch_of(word), at, wrote, is_atomic(word)};
  report_race(earlier,
              {access.begin, access.size, access.pc, access.write, access.atomic, access.is_free});
}

bool unordered(const Access& access, std::uint32_t word) {
  return epochs[epoch_of(word) - run_epoch].thread != access.thread &&
         !happened_before(epoch_of(word), access.thread);
}

bool races_with(const Access& access, std::uint32_t word) {
  return !(access.atomic && is_atomic(word)) && unordered(access, word);
}

void check_readers(const Access& access, std::uint32_t first) {
  for (std::uint32_t i = first; i != 0; i = readers[i].next) {
    const Reader reader = readers[i];
    if (races_with(access, reader.word)) return report_pair(access, reader.word, reader.at, false);
  }
}

void add_reader(RaceCell& cell, Access& access, std::uint32_t word) {
  const std::uint32_t place = place_of(access);
  // (A later read replaces an earlier one, unless it is atomic and so races with less.)
  if (cell.read == 0 || (epoch_of(cell.read) != kManyReaders && !unordered(access, cell.read) &&
                         (!access.atomic || is_atomic(cell.read)))) {
    cell.read = word;
    cell.read_at = place;
    return;
  }
  const std::uint32_t now = access.word >> 5;
  if (epoch_of(cell.read) != kManyReaders) {
    cell.read_at = readers.add({cell.read, cell.read_at, 0, now});
  } else {
    // A thread reuses its old entry, so the list is at most as long as there are threads (twice:
    // plain and atomic).
    for (std::uint32_t i = cell.read_at; i != 0; i = readers[i].next) {
      Reader& reader = readers[i];
      if (epochs[epoch_of(reader.word) - run_epoch].thread != access.thread) continue;
      if (is_atomic(reader.word) != access.atomic) continue;  // both count
      reader.word = word;
      reader.at = place;
      return;
    }
  }
  cell.read_at = readers.add({word, place, cell.read_at, now});
  cell.read = (kManyReaders << 5) | (word & kAllBytes);
}

void update_cell(RaceCell& cell, Access& access, std::uint32_t bytes) {
  drop_old(cell, access);
  const bool differs = has_second_write(cell) ||
                       (cell.write != 0 && bytes_of(cell.write) != bytes) ||
                       (cell.read != 0 && bytes_of(cell.read) != bytes);
  if (epoch_of(cell.write) != kSplit && differs) split(cell, epoch_of(access.word));
  if (epoch_of(cell.write) == kSplit) {
    const std::uint32_t number = cell.write_at;
    if (bytes == 0xf && merge_split(cell, access)) return;
    for (std::uint32_t i = 0; i < 4; ++i) {
      RaceCell& part = splits[number].bytes[i];
      if (!(bytes >> i & 1) || is_known(part, access, 0xf)) continue;
      if (is_in_order(part, access, 0xf)) {
        store_access(part, access, 0xf, place_of(access));
      } else {
        update_cell(part, access,
                    0xf);  // (parts are never split themselves: they stay where they are)
      }
    }
    return;
  }
  const std::uint32_t word = access.word | bytes << 1;
  if (cell.write == word || (!access.write && cell.read == word)) return;
  if (cell.write != 0 && races_with(access, cell.write))
    report_pair(access, cell.write, cell.write_at, true);
  if (!access.write) return add_reader(cell, access, word);
  if (epoch_of(cell.read) == kManyReaders) {
    check_readers(access, cell.read_at);
  } else if (cell.read != 0 && races_with(access, cell.read)) {
    report_pair(access, cell.read, cell.read_at, false);
  }
  // A plain write of the same thread and epoch races with more than this atomic one: keep it.
  if (access.atomic && cell.write != 0 && (cell.write | 1) == (word | 1)) return;
  cell = {word, place_of(access), 0, 0};
}

void update_range(Access& access, bool only_used) {
  const std::uint64_t end = access.begin + access.size;
  for (std::uint64_t a = access.begin & ~3ull; a < end; a += 4) {
    if (only_used && !race_leaves[(a >> kRaceLeafShift) & (kRaceLeaves - 1)]) {
      a |= (1ull << kRaceLeafShift) - 4;
      continue;
    }
    RaceCell* cell = cell_at(a);
    if (only_used && cell->write == 0 && cell->read == 0) continue;
    std::uint32_t bytes = 0xf;
    if (a < access.begin) bytes &= 0xf << (access.begin - a);
    if (a + 4 > end) bytes &= 0xf >> (a + 4 - end);
    if (is_known(*cell, access, bytes)) continue;
    if (is_in_order(*cell, access, bytes)) {
      store_access(*cell, access, bytes, place_of(access));
    } else {
      update_cell(*cell, access, bytes);
    }
  }
}

Access access_now(std::uint64_t address, std::uint64_t size, bool write, bool atomic,
                  std::uint64_t pc) {
  return {current_access(address, write, atomic), false, pc, address, size, 0};
}

// An atomic access, before its memory order takes effect.
void check_atomic(const volatile void* at, std::uint64_t size, bool write, std::uint64_t pc) {
  if (sched.thread_count == 1) return;
  const auto address = reinterpret_cast<std::uint64_t>(at);
  const std::uint64_t first = address & 3;
  const bool is_long = size == 8 && (address & 7) == 0;
  if (__builtin_expect(keeps_access_records(), 0) || (!is_long && first + size > 4))
    return check_slow_path(address, size, write, true, pc);
  RaceCell* cell = cell_at(address);
  const CellAccess access = current_access(address, write, true);
  const std::uint32_t bytes = is_long ? 0xf : ((1u << size) - 1) << first;
  if (is_known(cell[0], access, bytes) && (!is_long || is_known(cell[1], access, bytes))) return;
  if (!is_in_order(cell[0], access, bytes) || (is_long && !is_in_order(cell[1], access, bytes)))
    return check_slow_path(address, size, write, true, pc);
  const auto place = place_of_plain(pc);
  store_access(cell[0], access, bytes, place);
  if (is_long) store_access(cell[1], access, bytes, place);
}

}  // namespace

__attribute__((noinline)) void check_slow_path(std::uint64_t address, std::uint64_t size,
                                               bool write, bool atomic, std::uint64_t pc) {
  Access access = access_now(address, size, write, atomic, pc);
  update_range(access, false);
}

bool note_own_bytes(RaceCell& cell, std::uint64_t address, std::uint32_t bytes, std::uint32_t place,
                    bool write) {
  const std::uint32_t mine = epoch_words[sched.current->tid];
  if (epoch_of(cell.write) != kSplit) {
    if (!is_own_or_none(cell.write, mine, 0xf) || !is_own_or_none(cell.read, mine, 0xf))
      return false;
    split(cell, epoch_of(mine));
  } else if (!is_split_and_own(cell, mine, bytes) ||
             splits[cell.write_at].epoch < oldest_epoch(address)) {
    return false;
  }
  const std::uint32_t word = mine | kAllBytes;
  if (write && bytes == 0xf) {
    give_back_split(cell);
    cell = {word, place, 0, 0};
    return true;
  }
  RaceCell* part = splits[cell.write_at].bytes;
  for (; bytes != 0; bytes >>= 1, ++part) {
    if (!(bytes & 1) || part->write == word || (!write && part->read == word)) continue;
    if (write) {
      *part = {word, place, 0, 0};
    } else {
      part->read = word;
      part->read_at = place;
    }
  }
  return true;
}

__attribute__((noinline)) RaceCell* make_race_leaf(std::uint64_t address) {
  return race_leaves[(address >> kRaceLeafShift) & (kRaceLeaves - 1)] =
             map_private<RaceCell>(kRaceLeafCells);
}

__attribute__((noinline)) std::uint32_t oldest_epoch_of_stack(std::uint64_t address) {
  const Context* owner = context_of_stack(address);
  if (!owner || !owner->occupant) return run_epoch;
  const Thread* t = owner->occupant;
  return t->tid < sched.thread_count && t->context == owner ? thread_clocks[t->tid].stack_birth
                                                            : run_epoch;
}

void race_prepare(std::uint64_t address) {
  if (race_detection) cell_at(address);
}

void race_prepare_pages(std::uint64_t address, std::uint64_t size) {
  if (race_detection) prepare_pages(cell_at(address), size / 4 * sizeof(RaceCell));
}

void race_atomic_load(const volatile void* address, std::uint64_t size, int order,
                      std::uint64_t pc) {
  check_atomic(address, size, false, pc);
  clock_atomic_load(sched.current->tid, address, order);
}

void race_atomic_store(const volatile void* address, std::uint64_t size, int order,
                       std::uint64_t pc) {
  check_atomic(address, size, true, pc);
  clock_atomic_store(sched.current->tid, address, order);
}

void race_atomic_modify(const volatile void* address, std::uint64_t size, int order,
                        std::uint64_t pc) {
  check_atomic(address, size, true, pc);
  clock_atomic_modify(sched.current->tid, address, order);
}

void race_forget(const void* address, std::uint64_t size) {
  if (!race_detection) return;
  std::uint64_t a = reinterpret_cast<std::uint64_t>(address) & ~3ull;
  const std::uint64_t end = reinterpret_cast<std::uint64_t>(address) + size;
  while (a < end) {
    const std::uint64_t leaf_end = (a | ((1ull << kRaceLeafShift) - 1)) + 1;
    const std::uint64_t stop = end < leaf_end ? end : leaf_end;
    if (RaceCell* cell = used_cell_at(a))
      __builtin_memset(static_cast<void*>(cell), 0, (stop - a + 3) / 4 * sizeof(RaceCell));
    a = leaf_end;
  }
}

void race_free(const void* address, std::uint64_t size, std::uint64_t pc) {
  if (!race_detection || sched.thread_count == 1) return;
  Access access = access_now(reinterpret_cast<std::uint64_t>(address), size, true, false, pc);
  access.is_free = true;
  update_range(access, true);
}

namespace {

// The same if there are accesses by other threads, or in other epochs.
__attribute__((noinline)) void free_in_every_case(std::uint64_t begin, std::uint64_t size,
                                                  std::uint64_t pc) {
  const std::uint32_t mine = epoch_words[sched.current->tid];
  Access access = access_now(begin, size, true, false, pc);
  access.is_free = true;
  RaceCell* cell = used_cell_at(begin);
  for (std::uint64_t a = begin; a < begin + size; a += 4, ++cell) {
    if (is_own_or_none(cell->write, mine, 0xf) && is_own_or_none(cell->read, mine, 0xf)) continue;
    if (is_split_and_own(*cell, mine, 0xf)) {
      give_back_split(*cell);
    } else {
      update_cell(*cell, access, a + 4 > begin + size ? 0xf >> (a + 4 - begin - size) : 0xf);
    }
  }
}

}  // namespace

void race_free_and_forget(const void* address, std::uint64_t size, std::uint64_t pc,
                          bool by_owner) {
  if (!race_detection || sched.thread_count == 1) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  RaceCell* const first = used_cell_at(begin);
  if (!first) return;
  // Four cells at a time: there is nothing behind the block.
  using Four = std::uint32_t __attribute__((vector_size(16)));
  const auto four = [](const RaceCell* cell) {
    Four value;
    __builtin_memcpy(&value, cell, sizeof value);
    return value;
  };
  RaceCell* const end = first + (size + 15) / 16 * 4;
  if (!by_owner) {
    // Usually only this thread accessed the block, in this epoch: `write` and `read` show it.
    const Four own = Four{} + epoch_of(epoch_words[sched.current->tid]), none = {};
    auto fine = ~decltype(own == none){};
    for (const RaceCell* cell = first; cell != end; cell += 4) {
      const Four some = __builtin_shufflevector(four(cell), four(cell + 1), 0, 2, 4, 6) >> 5;
      const Four more = __builtin_shufflevector(four(cell + 2), four(cell + 3), 0, 2, 4, 6) >> 5;
      fine &= ((some == own) | (some == none)) & ((more == own) | (more == none));
    }
    if (__builtin_expect(!all_true(fine), 0)) free_in_every_case(begin, size, pc);
  }
  for (RaceCell* cell = first; cell != end; cell += 4) {
    const Four none = {};
    for (int i = 0; i < 4; ++i) __builtin_memcpy(cell + i, &none, sizeof none);
    asm volatile("" : : : "memory");  // no call of memset for so little
  }
}

std::uint64_t race_pc(std::uint32_t place) { return pc_at_position(place); }

namespace {

class RaceObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    race_detection = shared->config.settings.races != Races::kOff;
    if (!race_detection) {
      race_leaves = nullptr;
      return kObservesRuns;  // the program marks benign ranges all the same
    }
    if (!race_leaves) race_leaves = map_leaf_table<RaceCell>(kRaceLeaves, CacheColour::kRaces);
    init_race_reports();
    return kObservesMemory;
  }
  void begin_run(const Shared*, bool) override {
    if (race_detection) begin_races();
    benign_begin_run();
  }

  void knows_all(const Thread* t) override { clock_know_all(t->tid, sched.thread_count); }

  // The accesses to guarded memory were forgotten when it was freed.
  void allocated(const void* begin, std::uint64_t size, bool guarded) override {
    if (!guarded) race_forget(begin, size);
  }
  void freed(const void* begin, std::uint64_t size, std::uint64_t pc, bool by_owner,
             bool guarded) override {
    if (guarded) {
      race_free_and_forget(begin, size, pc, by_owner);
    } else if (!by_owner) {
      race_free(begin, size, pc);
    }
    if (any_benign) benign_forget(begin, size);
  }

  void thread_created(const Thread* child) override {
    clock_thread_created(child->tid, sched.current->tid);
  }
  void thread_joined(const Thread* ended) override {
    clock_thread_joined(ended->tid, sched.current->tid);
  }

 private:
  static void begin_races() {
    splits.begin_run();
    free_split = 0;
    readers.begin_run();
    if (reset_clocks() || splits.is_nearly_used_up() || readers.is_nearly_used_up()) {
      for (std::uint64_t i = 0; i < kRaceLeaves; ++i) {
        if (!race_leaves[i]) continue;
        munmap(race_leaves[i], kRaceLeafCells * sizeof(RaceCell));
        race_leaves[i] = nullptr;
      }
      splits.restart_numbers();
      readers.restart_numbers();
    }
    begin_access_records();
  }
};

constinit RaceObserver observer;

}  // namespace

Observer* race_observer() { return &observer; }

}  // namespace snag::rt
