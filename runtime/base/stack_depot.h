// Call stacks that are kept for later reports: each distinct one once, named by a number.
#pragma once

#include <cstdint>

#include "runtime/base/arena.h"

namespace snag::rt {

class StackDepot {
 public:
  // Frames kept of a stack: enough to get out of containers and smart pointers of an unoptimised
  // program.
  static constexpr std::uint32_t kFrames = 16;
  // Words kept in all. A program has some thousands of places that allocate; the rest is for those
  // that are called recursively.
  static constexpr std::uint32_t kMaxWords = 4 << 20;

  // `frames`: innermost first, at most kFrames. 0 if there is no more room.
  std::uint32_t add(const std::uint64_t* frames, std::uint32_t count) {
    const std::uint64_t hash = hash_of(frames, count);
    if (slots_.size() == 0) slots_.resize(kFirstSlots);
    const auto mask = static_cast<std::uint32_t>(slots_.size() - 1);
    std::uint32_t slot = static_cast<std::uint32_t>(hash) & mask;
    for (; slots_[slot] != 0; slot = (slot + 1) & mask) {
      const std::uint64_t* entry = &words_[slots_[slot]];
      if (entry[0] == head(hash, count) && same(entry + 1, frames, count)) return slots_[slot];
    }
    return insert(frames, count, hash, slot);
  }

  // The same for a place that was called by the last of these callers, which was called by the one
  // before it, and so on. Usually the stack is known already, and nothing is computed.
  std::uint32_t add(std::uint64_t pc, const std::uint64_t* calls, std::uint32_t depth) {
    const std::uint32_t count = depth < kFrames ? depth + 1 : kFrames;
    const std::uint64_t near =
        pc + (depth > 0 ? calls[depth - 1] * 3 : 0) + (depth > 1 ? calls[depth - 2] * 5 : 0);
    std::uint32_t& recent = recent_[near * 0x9e3779b97f4a7c15 >> kRecentShift];
    if (recent != 0 && (words_[recent] & 0xff) == count && words_[recent + 1] == pc) {
      const std::uint64_t* frame = &words_[recent + 2];
      const std::uint64_t* const end = frame + (count - 1);
      const std::uint64_t* call = calls + depth;
      while (frame != end && *frame == *--call) ++frame;
      if (frame == end) return recent;
    }
    std::uint64_t frames[kFrames];
    frames[0] = pc;
    for (std::uint32_t i = 1; i < count; ++i) frames[i] = calls[depth - i];
    return recent = add(frames, count);
  }

  // The frames of a stack; null, with count 0, for 0.
  const std::uint64_t* get(std::uint32_t id, std::uint32_t* count) const {
    *count = 0;
    if (id == 0 || id >= words_.size()) return nullptr;
    *count = static_cast<std::uint32_t>(words_[id] & 0xff);
    return &words_[id + 1];
  }

 private:
  // Small beginnings: each page that a run touches costs a page fault after the fork.
  static constexpr std::uint32_t kFirstSlots = 1024;
  static constexpr std::uint32_t kRecentShift = 64 - 7;

  static std::uint64_t hash_of(const std::uint64_t* frames, std::uint32_t count) {
    std::uint64_t hash = count;
    for (std::uint32_t i = 0; i < count; ++i) hash = (hash ^ frames[i]) * 0x9e3779b97f4a7c15;
    return hash ^ (hash >> 32);
  }
  static std::uint64_t head(std::uint64_t hash, std::uint32_t count) {
    return (hash & ~std::uint64_t{0xff}) | count;
  }
  static bool same(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t count) {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (a[i] != b[i]) return false;
    }
    return true;
  }

  __attribute__((noinline)) std::uint32_t insert(const std::uint64_t* frames, std::uint32_t count,
                                                 std::uint64_t hash, std::uint32_t slot) {
    if (words_.size() + count + 1 > kMaxWords) return 0;
    if (words_.size() == 0) words_.push_back(0);  // so that no stack has number 0
    const auto id = static_cast<std::uint32_t>(words_.size());
    words_.push_back(head(hash, count));
    for (std::uint32_t i = 0; i < count; ++i) words_.push_back(frames[i]);
    slots_[slot] = id;
    if (++stacks_ * 2 > slots_.size()) grow();
    return id;
  }

  void grow() {
    const std::size_t size = slots_.size() * 4;
    slots_.resize(size);
    for (std::uint32_t& slot : slots_) slot = 0;
    for (std::uint32_t id = 1; id < words_.size();) {
      const auto count = static_cast<std::uint32_t>(words_[id] & 0xff);
      std::size_t slot = static_cast<std::uint32_t>(hash_of(&words_[id + 1], count)) & (size - 1);
      while (slots_[slot] != 0) slot = (slot + 1) & (size - 1);
      slots_[slot] = id;
      id += count + 1;
    }
  }

  MmapVector<std::uint64_t> words_;  // of each stack: its hash and length, then its frames
  MmapVector<std::uint32_t> slots_;  // an open table of places in words_
  std::uint32_t stacks_ = 0;
  std::uint32_t recent_[1u << (64 - kRecentShift)]{};  // by the innermost frames
};

}  // namespace snag::rt
