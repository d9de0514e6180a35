#include "runtime/interpose/named_allocators.h"

#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "protocol/settings.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/base/stack_depot.h"
#include "runtime/base/symbols.h"
#include "runtime/detect/heap/heap.h"
#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/record/memory_report.h"
#include "runtime/sched/call_stack.h"
#include "runtime/sched/observer.h"

namespace snag::rt {
namespace {

using Word = std::uintptr_t;
using Function = Word (*)(Word, Word, Word, Word, Word, Word);

// ---- The blocks that were handed out. ----

struct NamedBlock {
  Word begin, size;
  std::uint32_t number;  // in the order of allocation
  // Of the block of the heap that it lies in, see heap_mark; 0: it lies in none.
  std::uint32_t mark;
  std::uint32_t stack;  // of `stacks`
  std::uint64_t run;
  Tid thread;
  bool is_live;
};

constinit StackDepot stacks;

class NamedBlocks {
 public:
  void add(const NamedBlock& block) {
    if (count_ * 2 >= capacity_) grow();
    NamedBlock& entry = find(block.begin);
    if (entry.begin == 0) ++count_;
    entry = block;
  }
  // The size of the live block that begins there; 0: unknown. It stays known as a freed one, so
  // that reports can tell where it was from, and the table needs no other deletion.
  Word take(Word begin) {
    if (capacity_ == 0) return 0;
    NamedBlock& entry = find(begin);
    if (entry.begin != begin || !entry.is_live) return 0;
    entry.is_live = false;
    return entry.size;
  }
  // The last one that contains the address and is accepted; null if there is none. Slow.
  template <class Accepts>
  const NamedBlock* around(Word address, const Accepts& accepts) const {
    const NamedBlock* last = nullptr;
    for (std::size_t i = 0; i < capacity_; ++i) {
      const NamedBlock& entry = entries_[i];
      if (entry.begin == 0 || address - entry.begin >= entry.size || !accepts(entry)) continue;
      if (!last || entry.number > last->number) last = &entry;
    }
    return last;
  }

 private:
  NamedBlock& find(Word block) const {
    std::size_t at = (block >> 4) * 0x9e3779b97f4a7c15 >> 20 & (capacity_ - 1);
    while (entries_[at].begin != 0 && entries_[at].begin != block) at = (at + 1) & (capacity_ - 1);
    return entries_[at];
  }
  void grow() {
    NamedBlock* const old = entries_;
    const std::size_t old_capacity = capacity_;
    capacity_ = old_capacity == 0 ? 1024 : old_capacity * 2;
    entries_ = map_private<NamedBlock>(capacity_);
    for (std::size_t i = 0; i < old_capacity; ++i) {
      if (old[i].begin != 0) find(old[i].begin) = old[i];
    }
  }

  NamedBlock* entries_ = nullptr;
  std::size_t capacity_ = 0, count_ = 0;
};
constinit NamedBlocks named_blocks{};
constinit std::uint32_t last_number = 0;

void keep_block(Word begin, Word size, std::uint64_t call) {
  const Thread* t = sched.current;
  const std::uint64_t pc = code_position(call) != 0 ? call : display_pc(t, call);
  const std::uint32_t depth = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  const std::uint32_t number = ++last_number;
  named_blocks.add({begin, size, number, heap_mark(reinterpret_cast<void*>(begin), number),
                    stacks.add(pc, t->tables->calls, depth), sched.shared->run.number, t->tid,
                    true});
}

void describe_block(const void* address, MemoryReport* report) {
  const bool is_heap = report->kind == MemoryKind::kHeap;
  // Without heap checks it is unknown when the memory becomes that of another block. (A pool in a
  // static variable has that name, which says more.)
  if (!heap_checks || (!is_heap && report->kind != MemoryKind::kUnknown)) return;
  const std::uint32_t mark = heap_mark(address, 0);
  if (is_heap != (mark != 0)) return;
  const NamedBlock* block =
      named_blocks.around(reinterpret_cast<Word>(address), [&](const NamedBlock& candidate) {
        return candidate.mark == mark && candidate.run == sched.shared->run.number;
      });
  if (!block) return;
  *report = {};
  report->kind = MemoryKind::kHeap;
  report->thread = block->thread;
  report->free_thread = kNoTid;
  report->begin = block->begin;
  report->size = block->size;
  std::uint32_t count = 0;
  const std::uint64_t* frames = stacks.get(block->stack, &count);
  static_assert(StackDepot::kFrames <= kMaxStackDepth);
  for (std::uint32_t i = 0; i < count; ++i) report->alloc_stack[i] = frames[i];
  report->alloc_depth = static_cast<std::uint16_t>(count);
}

// ---- What stands before the functions. ----

struct Slot {
  Function original;
  int argument;  // the size of a new block, or the block that is freed
};
constexpr int kMostFunctions = 16;  // of each kind
constexpr int kArguments = 6;
constinit Slot allocating[kMostFunctions]{}, freeing[kMostFunctions]{};
constinit int allocating_count = 0, freeing_count = 0;

template <int n>
Word allocate(Word a, Word b, Word c, Word d, Word e, Word f) {
  const Slot& slot = allocating[n];
  const Word arguments[kArguments] = {a, b, c, d, e, f};
  const Word block = slot.original(a, b, c, d, e, f);
  const Word size = arguments[slot.argument];
  constexpr Word kMost = 1 << 30;  // more is another argument, or leaves no time for anything else
  if (block == 0 || size == 0 || size > kMost || !controlled) return block;
  keep_block(block, size, reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
  if (observes_memory()) observe_allocated(reinterpret_cast<void*>(block), size);
  return block;
}

template <int n>
Word release(Word a, Word b, Word c, Word d, Word e, Word f) {
  const Slot& slot = freeing[n];
  const Word arguments[kArguments] = {a, b, c, d, e, f};
  const Word block = arguments[slot.argument];
  const Word size = controlled && block != 0 ? named_blocks.take(block) : 0;
  if (size != 0) {
    const auto pc = reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
    auto* memory = reinterpret_cast<void*>(block);
    observe_freed(memory, size, pc, code_position(pc) == 0);
    // (That checks the accesses until now. This is for the accesses after it.)
    if (race_detection) race_access(memory, size, true, pc);
  }
  return slot.original(a, b, c, d, e, f);
}

template <int n>
struct Replacements {
  static void fill(Function* allocates, Function* frees) {
    Replacements<n - 1>::fill(allocates, frees);
    allocates[n - 1] = &allocate<n - 1>;
    frees[n - 1] = &release<n - 1>;
  }
};
template <>
struct Replacements<0> {
  static void fill(Function*, Function*) {}
};

// ---- Putting them there. ----

// Executable memory near a function. The pages are in use until the process ends.
std::uint8_t* room_near(std::uint64_t function) {
  constexpr std::uint64_t kPage = 4096;
  static constinit std::uint8_t* page = nullptr;
  static constinit std::size_t used = kPage;
  const auto distance = [&] {
    const auto place = reinterpret_cast<std::uint64_t>(page);
    return place > function ? place - function : function - place;
  };
  if (used + kDiversionSize > kPage || distance() > kDiversionReach) {
    page = nullptr;
    // Below the module, where nothing grows: further and further away.
    for (std::uint64_t below = 1 << 20; below < kDiversionReach && !page; below += below / 2) {
      if (below >= function) break;
      const long result =
          raw_syscall(SYS_mmap, static_cast<long>((function - below) & ~(kPage - 1)), kPage,
                      PROT_READ | PROT_WRITE | PROT_EXEC,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
      if (is_mapped(result)) page = reinterpret_cast<std::uint8_t*>(result);
    }
    if (!page) return nullptr;
    used = 0;
  }
  std::uint8_t* room = page + used;
  used += kDiversionSize;
  return room;
}

bool allow_writing(std::uint64_t function, std::uint64_t size, int more) {
  constexpr std::uint64_t kPage = 4096;
  const std::uint64_t begin = function & ~(kPage - 1);
  return raw_syscall(SYS_mprotect, static_cast<long>(begin),
                     static_cast<long>(function + size - begin), PROT_READ | PROT_EXEC | more) == 0;
}

const void* divert(std::uint64_t function, std::uint64_t size, Function replacement) {
  std::uint8_t* room = room_near(function);
  if (!room || !allow_writing(function, size, PROT_WRITE)) return nullptr;
  const void* original = Diversion(reinterpret_cast<std::uint8_t*>(function), size, room)
                             .make(reinterpret_cast<const void*>(replacement));
  allow_writing(function, size, 0);
  return original;
}

struct Wanted {
  const char* name;
  std::size_t length;
  int argument;
  bool frees;
  int found;
  bool failed;
  std::uint64_t base;                            // of the module
  std::uint64_t last_functions[kMostFunctions];  // of this name: symbols may be listed twice
};

void divert_if_wanted(void* context, const char* symbol, std::uint64_t address,
                      std::uint64_t size) {
  auto* wanted = static_cast<Wanted*>(context);
  if (!names_function(symbol, wanted->name, wanted->length)) return;
  const std::uint64_t function = wanted->base + address;
  for (int i = 0; i < wanted->found; ++i) {
    if (wanted->last_functions[i] == function) return;
  }
  int& count = wanted->frees ? freeing_count : allocating_count;
  if (count == kMostFunctions) {
    wanted->failed = true;
    return;
  }
  Function allocates[kMostFunctions], frees[kMostFunctions];
  Replacements<kMostFunctions>::fill(allocates, frees);
  const void* original = divert(function, size, (wanted->frees ? frees : allocates)[count]);
  if (!original) {
    wanted->failed = true;
    return;
  }
  Slot& slot = (wanted->frees ? freeing : allocating)[count++];
  slot.original = reinterpret_cast<Function>(const_cast<void*>(original));
  slot.argument = wanted->argument;
  wanted->last_functions[wanted->found++] = function;
}

int look_in_module(dl_phdr_info* info, std::size_t, void* context) {
  auto* wanted = static_cast<Wanted*>(context);
  wanted->base = info->dlpi_addr;
  const bool is_program = info->dlpi_name == nullptr || *info->dlpi_name == 0;
  for_each_function(is_program ? "/proc/self/exe" : info->dlpi_name, divert_if_wanted, wanted);
  return 0;
}

}  // namespace

bool divert_named_allocators(const char* names, char* why, std::size_t size) {
  describe_named_block = describe_block;
  bool frees = false;
  while (*names) {
    const char* const end = names + strcspn(names, ",/;");
    const char* const at =
        static_cast<const char*>(memchr(names, '@', static_cast<std::size_t>(end - names)));
    Wanted wanted{};
    wanted.name = names;
    wanted.length = static_cast<std::size_t>((at ? at : end) - names);
    wanted.argument = at && at[1] >= '1' && at[1] <= '6' ? at[1] - '1' : 0;
    wanted.frees = frees;
    dl_iterate_phdr(look_in_module, &wanted);
    if (wanted.found == 0 || wanted.failed) {
      snprintf(why, size,
               wanted.failed
                   ? "--allocator: Snag cannot observe calls of '%.*s': say what it does with "
                     "<snag/allocator.h>"
                   : "--allocator: neither the program nor a library that it is linked with has a "
                     "function '%.*s'",
               static_cast<int>(wanted.length), wanted.name);
      return false;
    }
    frees = *end == '/' || (frees && *end == ',');
    names = *end ? end + 1 : end;
  }
  return true;
}

}  // namespace snag::rt
