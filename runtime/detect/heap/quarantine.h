// Freed blocks that are not reused for a while, oldest first, so that a later access still finds
// them freed. Only counts and sizes decide how long, or replays would differ.
#pragma once

#include <cstdint>

#include "runtime/base/arena.h"

namespace snag::rt {

template <class Block>
class Quarantine {
 public:
  explicit constexpr Quarantine(std::uint32_t max_blocks) : max_blocks_(max_blocks) {}

  std::uint32_t count() const { return count_; }

  void push(Block* block, std::uint64_t bytes) {
    if (!ring_) ring_ = map_private<Entry>(max_blocks_ + 1);
    ring_[wrapped(first_ + count_)] = {block, bytes};
    ++count_;
    bytes_ += bytes;
  }
  // The oldest block if the quarantine is too full; null otherwise. Call it after each push until
  // it returns null.
  Block* pop_excess(std::uint64_t max_bytes) {
    return bytes_ > max_bytes || count_ > max_blocks_ ? pop() : nullptr;
  }
  // The oldest block; null if there is none.
  Block* pop() {
    if (count_ == 0) return nullptr;
    const Entry& entry = ring_[first_];
    bytes_ -= entry.bytes;
    // From the beginning again where possible: each page that a run touches costs a page fault.
    first_ = --count_ == 0 ? 0 : wrapped(first_ + 1);
    return entry.block;
  }

 private:
  struct Entry {
    Block* block;
    std::uint64_t bytes;
  };

  std::uint32_t wrapped(std::uint32_t i) const {
    return i <= max_blocks_ ? i : i - max_blocks_ - 1;
  }

  Entry* ring_ = nullptr;
  std::uint32_t first_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t bytes_ = 0;
  const std::uint32_t max_blocks_;
};

}  // namespace snag::rt
