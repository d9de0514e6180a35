// Calls of a function that go to another one instead, by a jump at its beginning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "arch/x86_64/patched_calls.h"

namespace snag {

// Executable memory for one diverted function, not farther from it than this.
inline constexpr std::size_t kDiversionSize = 64;
inline constexpr std::uint64_t kDiversionReach = 0x7000'0000;

class Diversion {
 public:
  // `function` has `size` bytes; `room` has kDiversionSize.
  Diversion(std::uint8_t* function, std::size_t size, std::uint8_t* room)
      : function_(function), size_(size), room_(room) {}

  // Makes the calls go to `replacement`, and returns where the function itself can still be called.
  // Null if its first instructions cannot be moved; then nothing has changed. Both memories must be
  // writable, and no thread may be in the function.
  const void* make(const void* replacement) {
    constexpr std::size_t kOriginal = 16;  // in the room
    std::size_t moved = 0, at = kOriginal;
    while (moved < kJumpSize) {
      const std::size_t length = move_instruction(moved, at);
      if (length == 0) return nullptr;
      moved += length;
      at += length;
    }
    if (moved > size_ || is_jumped_into(moved)) return nullptr;
    jump_anywhere(at, function_ + moved);
    jump_anywhere(0, replacement);
    function_[0] = 0xe9;  // jmp rel32
    store(function_ + 1, room_ - (function_ + kJumpSize));
    std::memset(function_ + kJumpSize, 0x90, moved - kJumpSize);  // whole instructions: nop
    return room_ + kOriginal;
  }

 private:
  static constexpr std::size_t kJumpSize = 5;

  static bool fits(std::int64_t distance) {
    return distance == static_cast<std::int32_t>(distance);
  }
  static void store(std::uint8_t* to, std::int64_t distance) {
    const auto displacement = static_cast<std::int32_t>(distance);
    std::memcpy(to, &displacement, sizeof displacement);
  }

  std::size_t move_instruction(std::size_t from, std::size_t to) {
    InstructionLength instruction(function_ + from);
    const std::size_t length = instruction.get();
    constexpr std::size_t kFarJump = 14;
    if (length == 0 || instruction.jumps_shortly() || to + length + kFarJump > kDiversionSize)
      return 0;
    std::memcpy(room_ + to, function_ + from, length);
    if (const std::size_t place = instruction.relative_at()) {
      std::int32_t displacement;
      std::memcpy(&displacement, function_ + from + place, sizeof displacement);
      const std::int64_t distance = displacement + ((function_ + from) - (room_ + to));
      if (!fits(distance)) return 0;
      store(room_ + to + place, distance);
    }
    return length;
  }

  // Whether the function jumps back to where its first instructions were.
  bool is_jumped_into(std::size_t moved) const {
    for (std::size_t at = 0; at < size_;) {
      InstructionLength instruction(function_ + at);
      const std::size_t length = instruction.get();
      if (length == 0) return true;
      if (instruction.is_branch()) {
        std::int64_t distance = static_cast<std::int8_t>(function_[at + length - 1]);
        if (!instruction.jumps_shortly()) {
          std::int32_t displacement;
          std::memcpy(&displacement, function_ + at + instruction.relative_at(),
                      sizeof displacement);
          distance = displacement;
        }
        const std::int64_t target = static_cast<std::int64_t>(at + length) + distance;
        if (target > 0 && target < static_cast<std::int64_t>(moved)) return true;
      }
      at += length;
    }
    return false;
  }

  void jump_anywhere(std::size_t at, const void* target) {
    constexpr std::uint8_t kJumpThrough[] = {0xff, 0x25, 0, 0, 0, 0};  // jmp *0(%rip)
    std::memcpy(room_ + at, kJumpThrough, sizeof kJumpThrough);
    std::memcpy(room_ + at + sizeof kJumpThrough, &target, sizeof target);
  }

  std::uint8_t* function_;
  std::size_t size_;
  std::uint8_t* room_;
};

}  // namespace snag
