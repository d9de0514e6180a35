#include "runtime/record/learn_points.h"

#include "arch/arch.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/start_join.h"

namespace snag::rt {

constinit bool learning = false;

namespace {

// After kEagerRuns runs without a new point, only one run in kLazyStride learns. New points mostly
// appear within the first dozens of runs; a rare path of the program is still learned soon.
constexpr std::uint64_t kEagerRuns = 500;
constexpr std::uint64_t kLazyStride = 8;
constinit std::uint64_t last_news = 0;
constinit std::uint64_t runs_seen = 0;

// What is known about 8 bytes of the program's memory: the last write and the last read.
struct Access {
  std::uint32_t pc;  // offset in the code flags, plus one; 0: none
  std::uint16_t thread;
  std::uint16_t clock;  // the thread's, see start_join.h
};
struct Cell {
  Access write, read;
  std::uint32_t write_locks, read_locks;
  std::uint64_t run;  // cells of earlier runs in the same process are blank
};
static_assert(sizeof(Cell) == 32);

// Two levels: 4 MiB of memory a leaf. Leaves are made when first touched.
constexpr std::uint64_t kLeafShift = 22;
constexpr std::uint64_t kLeafCells = 1ull << (kLeafShift - 3);
constinit Cell** leaves = nullptr;

constinit Shared* shared_memory = nullptr;
constinit std::uint32_t adopted = 0;

Cell* cell_of(std::uint64_t address) {
  Cell*& leaf = leaves[(address >> kLeafShift) & ((1ull << (kAddressBits - kLeafShift)) - 1)];
  if (__builtin_expect(!leaf, 0)) leaf = map_private<Cell>(kLeafCells);
  return &leaf[(address >> 3) & (kLeafCells - 1)];
}

bool ordered(const Access& earlier, const Thread* now) {
  if (earlier.thread == now->tid) return true;
  if (!has_start_join_clock(earlier.thread) || !has_start_join_clock(now->tid)) return false;
  return start_join_knows(now->tid, earlier.thread, earlier.clock);
}

void learn(std::uint64_t pc) {
  std::uint8_t* flags = pc_flags(pc);
  if (*flags & (kPointPc | kLearnedPc)) return;
  *flags |= kLearnedPc;
  const std::uint32_t index = shared_memory->live.point_count.load(std::memory_order_relaxed);
  if (index == kMaxPoints) return;
  shared_memory->points[index] = pc;
  shared_memory->live.point_count.store(index + 1, std::memory_order_release);
}

__attribute__((noinline)) void learn_both(const Access& other, std::uint64_t address,
                                          std::uint64_t pc, const Thread* t) {
  // A stack that had another owner before: other variables.
  const Context* context = t->context;
  const Thread* before = &sched.threads[other.thread];
  if (before->context == context && before->state == Thread::kFinished) {
    const std::uint64_t here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    if (address - (here - (1 << 20)) < (16 << 20)) return;
  }
  learn(pc);
  learn(pc_at_position(other.pc));
}

}  // namespace

void init_learning(Shared* shared) {
  shared_memory = shared;
  leaves = map_leaf_table<Cell>(1ull << (kAddressBits - kLeafShift), CacheColour::kLearning);
}

void choose_whether_to_learn(std::uint64_t run) {
  ++runs_seen;
  learning = runs_seen - last_news < kEagerRuns || run % kLazyStride == 0;
}

void learn_access(const void* address, std::uint64_t size, bool write, std::uint64_t pc) {
  // The accesses of a thread that is alone conflict with no others: it creates all later threads.
  if (sched.live_count == 1) return;
  const Thread* t = sched.current;
  const std::uint64_t position = code_position(pc);
  if (__builtin_expect(position - 1 >= UINT32_MAX, 0)) return;
  const Access access{static_cast<std::uint32_t>(position), t->tid,
                      has_start_join_clock(t->tid) ? start_join_time(t->tid) : std::uint16_t{1}};
  const auto first = reinterpret_cast<std::uint64_t>(address) & ~7ull;
  const std::uint64_t run = sched.run;
  const std::uint32_t locks = t->held_mask;
  // Checks only the first words of large blocks: a conflict is visible there as well as anywhere.
  auto end = reinterpret_cast<std::uint64_t>(address) + (size < 256 ? size : 256);
  for (std::uint64_t a = first; a < end; a += 8) {
    Cell* cell = cell_of(a);
    if (cell->run != run) {
      *cell = {};
      cell->run = run;
    } else if (write ? cell->write.thread == t->tid && cell->write.pc == access.pc &&
                           cell->read.pc == 0
                     : cell->read.thread == t->tid && cell->read.pc == access.pc &&
                           cell->write.pc == 0) {
      continue;  // the same access again, and no other thread in between: the usual case in a loop
    }
    if (cell->write.pc != 0 && !ordered(cell->write, t) && (cell->write_locks & locks) == 0) {
      learn_both(cell->write, a, pc, t);
    }
    if (write) {
      if (cell->read.pc != 0 && !ordered(cell->read, t) && (cell->read_locks & locks) == 0) {
        learn_both(cell->read, a, pc, t);
      }
      cell->write = access;
      cell->write_locks = locks;
    } else {
      cell->read = access;
      cell->read_locks = locks;
    }
  }
}

void learn_freed(const void* address, std::uint64_t size, std::uint64_t pc) {
  if (!leaves) return;
  const Thread* t = sched.current;
  const std::uint64_t run = sched.run;
  const bool known = code_position(pc) - 1 < UINT32_MAX;
  const auto begin = reinterpret_cast<std::uint64_t>(address) & ~7ull;
  for (std::uint64_t a = begin; a < begin + size; a += 8) {
    Cell* leaf = leaves[(a >> kLeafShift) & ((1ull << (kAddressBits - kLeafShift)) - 1)];
    if (!leaf) continue;
    Cell& cell = leaf[(a >> 3) & (kLeafCells - 1)];
    if (cell.run != run) continue;
    cell.run = 0;
    const auto look = [&](const Access& access, std::uint32_t locks) {
      if (access.pc == 0 || ordered(access, t) || (locks & t->held_mask) != 0) return;
      learn(pc_at_position(access.pc));
      if (known) learn(pc);
    };
    look(cell.write, cell.write_locks);
    look(cell.read, cell.read_locks);
  }
}

void learn_forget(const void* address, std::uint64_t size) {
  if (!leaves) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address) & ~7ull;
  for (std::uint64_t a = begin; a < begin + size; a += 8) {
    if (Cell* leaf = leaves[(a >> kLeafShift) & ((1ull << (kAddressBits - kLeafShift)) - 1)]) {
      leaf[(a >> 3) & (kLeafCells - 1)].run = 0;
    } else {
      a |= (1ull << kLeafShift) - 8;  // nothing known about this leaf: on to the next one
    }
  }
}

bool adopt_learned_points(Shared* shared) {
  const std::uint32_t count = shared->live.point_count.load(std::memory_order_acquire);
  const bool any = adopted < count;
  for (; adopted < count; ++adopted) *pc_flags(shared->points[adopted]) = kPointPc;
  if (any) last_news = runs_seen;
  return any;
}

}  // namespace snag::rt
