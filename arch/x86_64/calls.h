#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace snag {

inline constexpr std::uint64_t kCallSize = 5;  // the usual one: call rel32

// Whether the instruction before a return address can be a call.
inline bool follows_call(const std::uint8_t* code) {
  if (code[-5] == 0xe8) return true;             // call rel32
  for (int length = 2; length <= 7; ++length) {  // call *..., with or without prefix
    if (code[-length] == 0xff && (code[1 - length] & 0x38) == 0x10) return true;
  }
  return false;
}

// A call or jump with its target in the instruction: the function's address, or that of the slot
// that holds it.
struct Branch {
  enum Kind : std::uint8_t { kNone, kCall, kCallThroughSlot, kJumpThroughSlot } kind = kNone;
  std::uint64_t target = 0;
  std::uint64_t next = 0;  // the address of the next instruction
};

// The branch that the bytes at `code` encode, if they encode one. `size` bytes are left there, and
// the code is loaded at `address`. Instructions have different lengths, so `code` may be in the
// middle of one: the caller decides by the target.
inline Branch decode_branch(const std::uint8_t* code, std::size_t size, std::uint64_t address) {
  constexpr std::uint8_t kCallRelative = 0xe8;  // call rel32
  constexpr std::uint8_t kIndirect = 0xff;      // with one of the next two
  constexpr std::uint8_t kCallThrough = 0x15;   // call *rel32(%rip)
  constexpr std::uint8_t kJumpThrough = 0x25;   // jmp *rel32(%rip)
  constexpr std::size_t kIndirectSize = 6;
  const auto branch = [&](Branch::Kind kind, std::size_t length) {
    std::int32_t displacement;
    std::memcpy(&displacement, code + length - sizeof displacement, sizeof displacement);
    const std::uint64_t next = address + length;
    return Branch{kind, next + static_cast<std::uint64_t>(displacement), next};
  };
  if (size >= kCallSize && code[0] == kCallRelative) return branch(Branch::kCall, kCallSize);
  if (size < kIndirectSize || code[0] != kIndirect) return {};
  if (code[1] == kCallThrough) return branch(Branch::kCallThroughSlot, kIndirectSize);
  if (code[1] == kJumpThrough) return branch(Branch::kJumpThroughSlot, kIndirectSize);
  return {};
}

}  // namespace snag
