#include "runtime/detect/heap/heap.h"

#include <errno.h>

#include "runtime/base/chunk_pool.h"
#include "runtime/base/modules.h"
#include "runtime/detect/heap/heap_block.h"
#include "runtime/detect/heap/quarantine.h"
#include "runtime/detect/races/races.h"
#include "runtime/record/learn_points.h"
#include "runtime/record/memory_report.h"
#include "runtime/sched/scheduler.h"

// libc's allocator, under names that programs do not replace.
extern "C" void* __libc_malloc(std::size_t);
extern "C" void* __libc_calloc(std::size_t, std::size_t);
extern "C" void* __libc_memalign(std::size_t, std::size_t);
extern "C" void __libc_free(void*);

namespace snag::rt {

constinit bool heap_checks = false;
constinit StackDepot heap_stacks;

namespace {

// How long a freed block stays in quarantine: until the blocks freed after it exceed the peak
// memory use of the run, plus this much. A use after free by another thread mostly comes within
// some dozens of frees, and fresh memory is dear: a page fault in every run that was forked. Runs
// that share a process pay for it only once.
constexpr std::uint64_t kForkedBytes = 32 << 10;
constexpr std::uint64_t kInProcessBytes = 256 << 10;
constexpr std::uint64_t kMostBytes = 16 << 20;
constexpr std::uint32_t kMostBlocks = 10'000;

// When the program frees a pointer into a block, the pointer is recognised up to this far behind
// the block's beginning: searching costs time, and programs also free pointers that are not ours.
constexpr std::uint64_t kBadFreeReach = 1 << 20;

// When a block is freed, this much of it is checked against other threads' accesses, as for other
// big accesses.
constexpr std::uint64_t kMetBytes = 256;

Quarantine<HeapBlock> quarantine(kMostBlocks);
constinit std::uint64_t base_bytes = 0;
// Of the tracked blocks that were allocated in this run.
constinit std::uint64_t live_bytes = 0;
constinit std::uint64_t peak_bytes = 0;

// Bigger blocks are mostly arrays, and accesses beyond those miss by more.
std::uint64_t back_zone(std::uint64_t size) {
  return size <= 48 ? 16 : size <= 96 ? 32 : size < 512 ? 64 : size < 4096 ? 128 : 256;
}

std::uint64_t round_up(std::uint64_t value, std::uint64_t to) {
  return (value + to - 1) & ~(to - 1);
}

std::uint64_t zone_end(const HeapBlock* block) {
  return round_up(block->end(), 8) + back_zone(block->size);
}

std::uint64_t total_bytes(const HeapBlock* block) {
  return zone_end(block) - block->begin() + block->before;
}

std::uint32_t current_stack(std::uint64_t pc) {
  const Thread* t = sched.current;
  return heap_stacks.add(pc, t->tables->calls,
                         t->depth < kCallStackDepth ? t->depth : kCallStackDepth);
}

// ---- Small blocks: a header and the block in a chunk of our own, all else is red zone. ----

constinit ChunkPool pool;
// Chunks that were freed while other threads may run at the same time (in a child process), or
// between two runs; linked by their last bytes, as in the pool.
constinit std::uint64_t given_outside = 0;

std::uint64_t chunk_bytes(const HeapBlock* block) { return std::uint64_t{block->chunk} * 16; }
std::uint64_t chunk_end(const HeapBlock* block) {
  return reinterpret_cast<std::uint64_t>(block) + chunk_bytes(block);
}
std::uint8_t* states_of(const HeapBlock* block) {
  return heap_leaf(block->begin()) + ((block->begin() >> 3) & (kHeapLeafBytes - 1));
}

[[gnu::always_inline]] inline void mark_freed(const HeapBlock* block) {
  // Marks 8 bytes even of an empty block: it may be freed only once.
  fill_heap_states(states_of(block), block->size == 0 ? 1 : (block->size + 7) / 8, kFreedMemory);
}

void give_outside(HeapBlock* block) {
  mark_freed(block);
  block->freed = 1;
  auto* link = reinterpret_cast<std::uint64_t*>(chunk_end(block) - 8);
  *link = __atomic_load_n(&given_outside, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&given_outside, link, reinterpret_cast<std::uint64_t>(block),
                                      true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
  }
}

void take_in_what_was_given_outside() {
  std::uint64_t chunk = __atomic_exchange_n(&given_outside, 0, __ATOMIC_ACQUIRE);
  while (chunk != 0) {
    const auto* block = reinterpret_cast<const HeapBlock*>(chunk);
    const std::uint64_t next = *reinterpret_cast<const std::uint64_t*>(chunk_end(block) - 8);
    pool.give(chunk, chunk_bytes(block));
    chunk = next;
  }
}

// New chunks cause page faults, and the race detector's shadow of them four times as many. So pages
// are made in advance, in growing numbers: a program that allocates much will go on doing so.
constexpr std::uint64_t kFirstPrepared = 4 << 10;
constexpr std::uint64_t kMostPrepared = 16 << 10;
constinit std::uint64_t prepared_end = 0, to_prepare = kFirstPrepared;

__attribute__((noinline)) void prepare_more() {
  const std::uint64_t begin = pool.next(), left = pool.region_end() - begin;
  const std::uint64_t size = to_prepare < left ? to_prepare : left;
  prepare_pages(reinterpret_cast<void*>(begin), size);
  race_prepare_pages(begin, size);
  prepared_end = begin + size;
  if (to_prepare < kMostPrepared) to_prepare *= 2;
}

// Makes room for more new chunks, with their shadow.
bool add_region() {
  prepared_end = 0;
  const std::uint64_t begin = pool.add_region();
  if (begin == 0) return false;
  if (!make_heap_leaves(begin, begin + 1)) {
    pool.leave_region();
    return false;
  }
  race_prepare(begin);
  return true;
}

__attribute__((noinline)) HeapBlock* new_chunk(std::uint64_t bytes) {
  if (pool.region_end() - pool.next() < bytes) {
    const int saved_errno = errno;
    const bool added = add_region();
    errno = saved_errno;
    if (!added) return nullptr;
  }
  if (pool.next() + bytes > prepared_end) prepare_more();
  const std::uint64_t chunk = pool.take_new(bytes);
  auto* block = reinterpret_cast<HeapBlock*>(chunk);
  block->size = UINT64_MAX;  // so that no red zone counts as there
  block->before = sizeof(HeapBlock);
  block->chunk = bytes / 16;
  fill_heap_states(states_of(block) - sizeof(HeapBlock) / 8, sizeof(HeapBlock) / 8, kFrontZone);
  return block;
}

// Null if there is no room; libc's heap may still have memory.
HeapBlock* allocate_small(std::uint64_t size, std::uint64_t total) {
  const std::uint64_t bytes = ChunkPool::chunk_bytes(total);
  auto* block = reinterpret_cast<HeapBlock*>(pool.take_used(bytes));
  if (__builtin_expect(!block, 0)) {
    block = new_chunk(bytes);
    if (!block) return nullptr;
  }
  std::uint8_t* const states = states_of(block);
  const std::uint64_t whole = size / 8, partly = size % 8 != 0;
  fill_heap_states(states, whole, 0);
  if (partly) states[whole] = static_cast<std::uint8_t>(size % 8);
  if (block->size != size || size == 0) {
    const std::uint64_t in_chunk = (bytes - sizeof(HeapBlock)) / 8;
    fill_heap_states(states + whole + partly, in_chunk - whole - partly, kBackZone);
  }
  return block;
}

// Gives the block back. A small one stays marked as freed until it is used again.
void release(HeapBlock* block) {
  if (block->chunk != 0)
    return pool.give(reinterpret_cast<std::uint64_t>(block), chunk_bytes(block));
  set_heap_state(block->begin() - sizeof(HeapBlock), zone_end(block), 0);
  __libc_free(reinterpret_cast<void*>(block->begin() - block->before));
}

// Reports an invalid free; else returns the block, or null if it is not ours.
HeapBlock* block_to_free(void* pointer, std::uint64_t pc) {
  const auto address = reinterpret_cast<std::uint64_t>(pointer);
  HeapBlock* block = block_beginning_at(address);
  if (!controlled) return block;  // a child process, or between two runs: nothing is reported
  if (block) {
    if (block->freed) fail_double_free(block, pc);
    return block;
  }
  const HeapBlock* near =
      heap_state(address) < 8 ? block_around(address, kBadFreeReach) : block_near(address);
  if (near) fail_bad_free(near, address, pc);
  MemoryReport memory;
  describe_memory(memory, pointer);
  if (memory.kind != MemoryKind::kUnknown && memory.kind != MemoryKind::kHeap)
    fail_free_of_no_block(memory, address, pc);
  return nullptr;
}

// Fills in the header of a block that begins now. The caller has set what depends on the allocator.
void* begin_block(HeapBlock* block, std::uint64_t size, std::uint64_t total, std::uint64_t pc) {
  live_bytes += total;
  if (live_bytes > peak_bytes) peak_bytes = live_bytes;
  block->size = size;
  block->alloc_stack = current_stack(pc);
  block->free_stack = 0;
  block->alloc_thread = sched.current->tid;
  block->free_thread = kNoTid;
  block->freed = 0;
  return reinterpret_cast<void*>(block->begin());
}

}  // namespace

void* heap_allocate(std::size_t size, std::size_t alignment, bool zeroed, std::uint64_t pc) {
  const std::uint64_t before = alignment > sizeof(HeapBlock) ? alignment : sizeof(HeapBlock);
  const std::uint64_t total = before + round_up(size, 8) + back_zone(size);
  if (size > PTRDIFF_MAX || before > PTRDIFF_MAX || total > PTRDIFF_MAX) {
    errno = ENOMEM;
    return nullptr;
  }
  if (alignment <= 16 && total <= ChunkPool::kMostBytes) {
    if (HeapBlock* block = allocate_small(size, total)) {
      void* memory = begin_block(block, size, total, pc);
      if (zeroed) __builtin_memset(memory, 0, size);
      observe_allocated(memory, size, true);
      return memory;
    }
  }
  void* memory = alignment > 16 ? __libc_memalign(alignment, total)
                 : zeroed       ? __libc_calloc(1, total)
                                : __libc_malloc(total);
  if (!memory) return nullptr;
  const std::uint64_t begin = reinterpret_cast<std::uint64_t>(memory) + before;
  auto* block = reinterpret_cast<HeapBlock*>(begin - sizeof(HeapBlock));
  // For a block that will never be quarantined, only the ends need a state.
  const std::uint64_t inner = size < kMostBytes ? begin + size : begin;
  const std::uint64_t last = round_up(begin + size, 8), end = last + back_zone(size);
  const int saved_errno = errno;
  if (!make_heap_leaves(begin - sizeof(HeapBlock), inner + 1) ||
      !make_heap_leaves(begin + size, end)) {
    errno = saved_errno;
    return memory;  // then it is unknown: an ordinary block of libc
  }
  block->before = before;
  block->chunk = 0;
  begin_block(block, size, total, pc);
  set_heap_state(begin - sizeof(HeapBlock), begin, kFrontZone);
  if (size % 8 != 0) set_heap_state(last - 8, last, static_cast<std::uint8_t>(size % 8));
  set_heap_state(last, end, kBackZone);
  errno = saved_errno;
  // Earlier checks of this memory, including the red zones, are no longer valid.
  race_forget(block, sizeof *block);
  race_forget(reinterpret_cast<void*>(begin + size), end - begin - size);
  observe_allocated(reinterpret_cast<void*>(begin), size);
  return reinterpret_cast<void*>(begin);
}

void heap_free_point(void* pointer, std::uint64_t call, std::uint64_t pc) {
  if (!controlled || points == Points::kSync) return;
  const HeapBlock* block = block_beginning_at(reinterpret_cast<std::uint64_t>(pointer));
  if (!block || block->freed || block->size == 0) return;
  const std::uint64_t size = block->size < kMetBytes ? block->size : kMetBytes;
  const std::uint8_t flags = *pc_flags(call);
  if ((flags & kPointPc) || (points == Points::kAll && !(flags & kIgnoredPc))) {
    const std::uint64_t begin = block->begin();
    step(OpKind::kFree, pointer, call);
    for (std::uint64_t word = begin + 8; word < begin + size; word += 8)
      silent_step(OpKind::kFree, reinterpret_cast<void*>(word), call);
    note_write();
  }
  if (learning) learn_freed(pointer, size, pc);
}

bool heap_free(void* pointer, std::uint64_t pc, bool by_owner) {
  HeapBlock* block = block_to_free(pointer, pc);
  if (!block) return false;
  if (!controlled) {
    if (!block->freed) block->chunk != 0 ? give_outside(block) : release(block);
    return true;
  }
  if (block->chunk != 0) {
    observe_freed(pointer, block->size, pc, by_owner, true);
    mark_freed(block);
  } else {
    observe_freed(pointer, block->size, pc, by_owner);
    // (A free by the owner is not recorded as a write, so other threads would not check again.)
    if (by_owner) race_forget(pointer, block->size);
    race_distrust_known();
  }
  const std::uint64_t bytes = total_bytes(block);
  live_bytes -= bytes < live_bytes ? bytes : live_bytes;
  if (bytes > kMostBytes) {
    release(block);
    return true;
  }
  block->freed =
      sched.step < UINT32_MAX - 1 ? static_cast<std::uint32_t>(sched.step) + 1 : UINT32_MAX;
  block->free_stack = current_stack(pc);
  block->free_thread = sched.current->tid;
  if (block->chunk == 0) {
    const std::uint64_t end = round_up(block->end(), 8);  // (some bytes even for an empty block)
    set_heap_state(block->begin(), end > block->begin() ? end : end + 8, kFreedMemory);
  }
  quarantine.push(block, bytes);
  const std::uint64_t limit =
      base_bytes + peak_bytes < kMostBytes ? base_bytes + peak_bytes : kMostBytes;
  while (HeapBlock* oldest = quarantine.pop_excess(limit)) release(oldest);
  return true;
}

bool heap_owns(void* pointer, std::size_t* size, std::uint64_t pc) {
  const HeapBlock* block = block_to_free(pointer, pc);
  if (block) *size = block->size;
  return block != nullptr;
}

HeapBlock* block_beginning_at(std::uint64_t address) {
  if (address % 16 != 0) return nullptr;
  // (Both are in one leaf, except for the first block in a leaf.)
  const std::uint8_t* leaf = heap_leaf(address);
  const std::uint64_t at = (address >> 3) & (kHeapLeafBytes - 1);
  const bool begins =
      leaf && at != 0 ? leaf[at - 1] == kFrontZone && leaf[at] != kFrontZone
                      : heap_state(address - 8) == kFrontZone && heap_state(address) != kFrontZone;
  if (!begins) return nullptr;
  return reinterpret_cast<HeapBlock*>(address) - 1;
}

HeapBlock* block_around(std::uint64_t address, std::uint64_t reach) {
  // Everything up to the first byte of the block is accessible, or everything is freed.
  std::uint64_t a = address & ~7ull;
  const std::uint64_t limit = a > reach ? a - reach : 0;
  while (a > limit && heap_state(a) == kFreedMemory) a -= 8;
  if (heap_state(a) != kFrontZone) {
    if (heap_state(a) >= 8) return nullptr;
    const std::uint64_t below = state_below(a, a - limit);
    if (below == 0 || heap_state(below) != kFrontZone) return nullptr;
    a = below & ~7ull;
  }
  HeapBlock* block = block_beginning_at(a + 8);
  return block && address - block->begin() < (block->size ? block->size : 1) ? block : nullptr;
}

void heap_check_bytes(std::uint64_t address, std::uint64_t size, bool write, bool atomic,
                      std::uint64_t pc) {
  if (const std::uint64_t bad = first_bad_byte(address, size))
    fail_access(bad, {address, size, pc, write, atomic, false});
}

void heap_check_object_bytes(std::uint64_t address, std::uint64_t size, SyncKind what,
                             std::uint64_t pc) {
  if (const std::uint64_t bad = first_bad_byte(address, size))
    fail_access(bad, {address, size, display_pc(sched.current, pc), true, true, false}, what);
}

std::uint64_t heap_block_size(std::uint64_t begin) {
  const HeapBlock* block = heap_checks ? block_beginning_at(begin) : nullptr;
  return block && !block->freed ? block->size : 0;
}

bool heap_is_freed(const void* address) {
  return heap_checks && heap_state(reinterpret_cast<std::uint64_t>(address)) == kFreedMemory;
}

namespace {

class HeapObserver final : public Observer {
 public:
  EventMask init(Shared* shared) override {
    sched.world.block_size = heap_block_size;
    describe_heap_block = heap_block;
    if (!shared->config.settings.heap_checks) return 0;
    init_heap_state();
    // The leaves of the heap as it is now: made once here, not by every run. The same for a region
    // of our own. Other leaves are made when they are needed.
    add_region();
    void* probe = __libc_malloc(16);
    const auto address = reinterpret_cast<std::uint64_t>(probe);
    make_heap_leaves(address, address + (2ull << kHeapLeafShift));
    __libc_free(probe);
    return kObservesRuns;  // the hooks and the interposed allocator call the checks themselves
  }
  void begin_run(const Shared* shared, bool in_process) override {
    while (HeapBlock* block = quarantine.pop()) release(block);
    take_in_what_was_given_outside();
    live_bytes = peak_bytes = 0;
    base_bytes = in_process ? kInProcessBytes : kForkedBytes;
    heap_checks = shared->config.settings.heap_checks;
  }
};

constinit HeapObserver observer;

}  // namespace

Observer* heap_observer() { return &observer; }

}  // namespace snag::rt
