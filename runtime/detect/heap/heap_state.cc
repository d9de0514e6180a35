#include "runtime/detect/heap/heap_state.h"

#include <sys/mman.h>

#include "runtime/base/arena.h"

namespace snag::rt {

constinit std::uint8_t** heap_leaves = nullptr;

namespace {

std::uint64_t leaf_end(std::uint64_t address) {
  return (address | ((1ull << kHeapLeafShift) - 1)) + 1;
}

}  // namespace

void init_heap_state() {
  if (!heap_leaves) heap_leaves = map_leaf_table<std::uint8_t>(kHeapLeaves, CacheColour::kHeap);
}

bool make_heap_leaves(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t a = begin; a < end; a = leaf_end(a)) {
    std::uint8_t*& leaf = heap_leaves[(a >> kHeapLeafShift) & (kHeapLeaves - 1)];
    if (leaf) continue;
    leaf = static_cast<std::uint8_t*>(map_memory(kHeapLeafBytes));
    if (!leaf) return false;
  }
  return true;
}

void set_heap_state(std::uint64_t begin, std::uint64_t end, std::uint8_t value) {
  while (begin < end) {
    const std::uint64_t stop = end < leaf_end(begin) ? end : leaf_end(begin);
    if (std::uint8_t* leaf = heap_leaf(begin)) {
      __builtin_memset(leaf + ((begin >> 3) & (kHeapLeafBytes - 1)), value, (stop - begin) >> 3);
    }
    begin = stop;
  }
}

std::uint64_t first_bad_byte(std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  std::uint64_t a = address;
  while (a < end) {
    const std::uint8_t* leaf = heap_leaf(a);
    const std::uint64_t stop = end < leaf_end(a) ? end : leaf_end(a);
    if (!leaf) {
      a = stop;
      continue;
    }
    while (a < stop) {
      const std::uint8_t* at = leaf + ((a >> 3) & (kHeapLeafBytes - 1));
      // Eight at a time where that is possible.
      if ((a & 63) == 0 && stop - a >= 64 && *reinterpret_cast<const std::uint64_t*>(at) == 0) {
        a += 64;
        continue;
      }
      const std::uint64_t next = (a | 7) + 1;
      const std::uint8_t state = *at;
      if (state >= 8) return a;
      if (state != 0) {
        const std::uint64_t first_bad = (a & ~7ull) + state;
        if (first_bad < (next < end ? next : end)) return a > first_bad ? a : first_bad;
      }
      a = next;
    }
  }
  return 0;
}

std::uint64_t state_below(std::uint64_t address, std::uint64_t reach) {
  const std::uint64_t limit = address > reach ? address - reach : 0;
  std::uint64_t a = address & ~7ull;
  while (a > limit) {
    a -= 8;
    const std::uint8_t* leaf = heap_leaf(a);
    if (!leaf) {
      a &= ~((1ull << kHeapLeafShift) - 1);
      continue;
    }
    const std::uint8_t* at = leaf + ((a >> 3) & (kHeapLeafBytes - 1));
    if (*at != 0) return a + 7;
    while ((a & 63) == 0 && (a & ((1ull << kHeapLeafShift) - 1)) != 0 && a > limit &&
           *reinterpret_cast<const std::uint64_t*>(at - 8) == 0) {
      a -= 64;
      at -= 8;
    }
  }
  return 0;
}

}  // namespace snag::rt
