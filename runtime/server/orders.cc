// Implements server.h: hashes of the exact sequence of a run, and of its partial order.
#include "protocol/order_hash.h"
#include "protocol/random.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/server/server.h"

namespace snag::rt {
namespace {

struct Slot {
  std::uint64_t object;
  std::uint64_t round;
  ObjectOrder order;
};

struct OrderTable {
  MmapVector<Slot> slots;
  Slot empty{};  // stands for the slots until there are any
  Slot* slots_begin = &empty;
  std::uint64_t mask = 0;
  std::uint64_t used = 0;
  std::uint64_t round = 0;

  Slot* find(std::uint64_t object) {
    std::uint64_t i = (object * 0x9e3779b97f4a7c15 >> 32) & mask;
    if (__builtin_expect(slots_begin[i].round == round && slots_begin[i].object == object, 1))
      return &slots_begin[i];
    return insert(object);
  }

  __attribute__((noinline)) Slot* insert(std::uint64_t object) {
    if (used * 2 >= slots.size()) grow();
    std::uint64_t i = (object * 0x9e3779b97f4a7c15 >> 32) & mask;
    while (slots[i].round == round && slots[i].object != object) i = (i + 1) & mask;
    if (slots[i].round != round) {
      slots[i] = {object, round, {}};
      ++used;
    }
    return &slots[i];
  }

  void grow() {
    MmapVector<Slot>& old = spare;
    old.clear();
    for (std::size_t i = 0; i < slots.size(); ++i) {
      if (slots[i].round == round) old.push_back(slots[i]);
    }
    const std::size_t size = slots.size() == 0 ? 256 : slots.size() * 2;
    slots.resize(size);
    for (std::size_t i = 0; i < size; ++i) slots[i].round = 0;
    mask = size - 1;
    slots_begin = slots.data();
    used = 0;
    for (const Slot& entry : old) *find(entry.object) = entry;
  }

  MmapVector<Slot> spare;
};

constinit OrderTable table;
constinit MmapVector<std::uint64_t> seen;  // open addressing; 0 is empty
constinit std::uint64_t seen_count = 0;

void insert_seen(std::uint64_t hash) {
  std::uint64_t i = hash & (seen.size() - 1);
  while (seen[i] != 0 && seen[i] != hash) i = (i + 1) & (seen.size() - 1);
  if (seen[i] == hash) return;
  seen[i] = hash;
  ++seen_count;
}

// Beyond this many the set stops growing and the count says "at least".
constexpr std::uint64_t kMaxSeen = 1 << 22;
// Enough for tens of thousands of runs at half a megabyte: an ordinary search never grows it.
constexpr std::uint64_t kFirstSeen = 1 << 16;

}  // namespace

std::uint64_t count_order(const Step* steps, std::uint64_t count) {
  static std::uint64_t last_of_thread[kMaxThreads];
  ++table.round;
  table.used = 0;
  std::uint64_t total = 0;
  std::uint32_t threads = 0;
  Slot* slot = &table.empty;
  std::uint64_t looked_up = 0;  // the object of `slot`: mostly the object of the next step as well
  for (std::uint64_t i = 0; i < count; ++i) {
    const Step& step = steps[i];
    for (; threads <= step.thread; ++threads) last_of_thread[threads] = mix64(threads + 1);
    const std::uint64_t before = order_of_step(last_of_thread[step.thread], step.pc, step.kind);
    std::uint64_t hash;
    if (step.object == 0 || op_access(step.kind) == '-') {
      hash = fold(before);
    } else {
      if (step.object != looked_up) slot = table.find(looked_up = step.object);
      hash = order_on_object(before, step.kind, slot->order);
    }
    last_of_thread[step.thread] = hash;
    total += hash;
  }
  if (total == 0) total = 1;
  if (seen_count * 2 >= seen.size() && seen.size() < kMaxSeen) {
    MmapVector<std::uint64_t> all;
    for (std::uint64_t hash : seen) {
      if (hash != 0) all.push_back(hash);
    }
    const std::size_t size = seen.size() == 0 ? kFirstSeen : seen.size() * 2;
    seen.resize(size);
    for (std::size_t i = 0; i < size; ++i) seen[i] = 0;
    seen_count = 0;
    for (std::uint64_t hash : all) insert_seen(hash);
    all.release();
  }
  if (seen_count * 2 < seen.size()) insert_seen(total);
  return seen_count;
}

std::uint64_t hash_events(const Shared* shared, const Step* steps, std::uint64_t count) {
  std::uint64_t hash = 0x736e6167;
  std::uint64_t begin = 0, size = 0, base = 0;
  std::uint32_t module = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const Step& step = steps[i];
    if (step.pc - begin >= size) {
      const ModulePc pc = module_pc(shared, step.pc);
      module = module_of(pc);
      if (module < shared->module_count) {
        begin = shared->modules[module].begin;
        size = shared->modules[module].end - begin;
        base = shared->modules[module].base;
      }
    }
    const std::uint64_t offset = module < shared->module_count ? step.pc - base : 0;
    hash = mix64(hash ^ (make_module_pc(module, offset) + (std::uint64_t{step.thread} << 32 << 8) +
                         (static_cast<std::uint64_t>(step.kind) << 56)));
  }
  return hash;
}

}  // namespace snag::rt
