#include "runtime/detect/races/benign_ranges.h"

#include "runtime/base/arena.h"

namespace snag::rt {

constinit bool any_benign = false;

namespace {

struct Range {
  std::uint64_t begin, end;
};

// Not sorted: a program marks few ranges, and they are searched only when a race was found.
constinit MmapVector<Range> ranges;

std::uint64_t end_of(std::uint64_t begin, std::size_t size) {
  std::uint64_t end = 0;
  return __builtin_add_overflow(begin, size, &end) ? UINT64_MAX : end;
}

}  // namespace

void benign_begin_run() {
  ranges.clear();
  any_benign = false;
}

void benign_forget(const void* address, std::size_t size) {
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t end = end_of(begin, size);
  for (std::size_t i = 0; i < ranges.size();) {
    const Range range = ranges[i];
    if (range.end <= begin || range.begin >= end) {
      ++i;
      continue;
    }
    ranges[i] = ranges.back();
    ranges.pop_back();
    // The part that sticks out goes to the end of the list, where the loop examines it again and
    // keeps it.
    if (range.begin < begin) ranges.push_back({range.begin, begin});
    if (range.end > end) ranges.push_back({end, range.end});
  }
}

bool is_benign(std::uint64_t address) {
  for (const Range& range : ranges) {
    if (address >= range.begin && address < range.end) return true;
  }
  return false;
}

void mark_benign(const void* address, std::size_t size) {
  if (size == 0) return;
  const auto begin = reinterpret_cast<std::uint64_t>(address);
  const std::uint64_t end = end_of(begin, size);
  for (const Range& range : ranges) {  // marked before: in a loop, or in every call of a function
    if (begin >= range.begin && end <= range.end) return;
  }
  ranges.push_back({begin, end});
  any_benign = true;
}

}  // namespace snag::rt
