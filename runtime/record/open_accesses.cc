#include "runtime/record/open_accesses.h"

namespace snag::rt {
namespace {

// The bytes of [address, address + size) as bits from `base` on, as far as they go.
std::uint64_t bytes_from(std::uint64_t base, std::uint64_t address, std::uint64_t size) {
  const std::uint64_t end = address + size;
  if (end <= base || address >= base + 64) return 0;
  const std::uint64_t from = address > base ? address - base : 0;
  const std::uint64_t to = end - base < 64 ? end - base : 64;
  return (to == 64 ? ~0ull : (1ull << to) - 1) & ~((1ull << from) - 1);
}

}  // namespace

void OpenAccesses::add(std::uint64_t address, std::uint64_t size, Tid thread) {
  if (count_ == kCapacity) {
    for (std::uint32_t i = 1; i < count_; ++i) open_[i - 1] = open_[i];
    --count_;
  }
  open_[count_++] = {address, bytes_from(address, address, size < kBytes ? size : kBytes), thread};
}

Tid OpenAccesses::take(std::uint64_t address, std::uint64_t size, Tid thread) {
  Tid before = kNoTid;
  for (std::uint32_t i = 0; i < count_;) {
    Open& entry = open_[i];
    const std::uint64_t touched = entry.bytes & bytes_from(entry.address, address, size);
    if (touched != 0 && entry.thread != thread) before = entry.thread;
    entry.bytes &= ~touched;
    if (entry.bytes != 0)
      ++i;
    else
      entry = open_[--count_];
  }
  return before;
}

}  // namespace snag::rt
