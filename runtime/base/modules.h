// The code of the program: which addresses belong to instrumented modules.
#pragma once

#include <cstdint>

#include "protocol/shared_memory.h"

namespace snag::rt {

// Where the runtime's own code lies; size 0 in unit tests.
struct OwnCode {
  std::uint64_t begin, size;
};
OwnCode runtime_code();

struct CodeRange {
  std::uint64_t begin, size;
  std::uint32_t module;  // index in Shared::modules
  std::uint8_t* flags;   // one byte per byte of code
};
inline constexpr int kMaxRanges = 64;
// The executable first.
[[gnu::visibility("hidden")]] extern CodeRange code_ranges[kMaxRanges];
[[gnu::visibility("hidden")]] extern int code_range_count;

enum PcFlag : std::uint8_t {
  kPointPc = 1,    // plain access that is a schedule point
  kLearnedPc = 2,  // recorded as one for later runs
  kIgnoredPc = 4,  // never a schedule point in this run
};

// Reads the loaded modules; once, at start-up.
void find_modules(Shared* shared);
// The same for a program that runs freely; also adds those that were loaded since the last time.
void find_modules(Module* modules, std::uint32_t* count);
// The program loaded a library: records it, and which of its instructions are schedule points.
void find_new_modules(Shared* shared);
// The same number for the same code in every process of this binary.
ModulePc module_pc(const Shared* shared, std::uint64_t pc);
std::uint64_t absolute_pc(const Shared* shared, ModulePc pc);

// The flags of an instrumented instruction; a scratch byte for all others.
[[gnu::always_inline]] inline std::uint8_t* pc_flags(std::uint64_t pc) {
  if (__builtin_expect(pc - code_ranges[0].begin < code_ranges[0].size, 1)) {
    return code_ranges[0].flags + (pc - code_ranges[0].begin);
  }
  for (int i = 1; i < code_range_count; ++i) {
    if (pc - code_ranges[i].begin < code_ranges[i].size)
      return code_ranges[i].flags + (pc - code_ranges[i].begin);
  }
  static std::uint8_t scratch;
  scratch = 0;
  return &scratch;
}

// Numbers instrumented code from 1; 0 if the pc is not instrumented code, or is too far away.
inline std::uint64_t code_position(std::uint64_t pc) {
  if (__builtin_expect(pc - code_ranges[0].begin < code_ranges[0].size, 1))
    return pc - code_ranges[0].begin + 1;
  std::uint64_t base = code_ranges[0].size + 1;
  for (int i = 1; i < code_range_count; ++i) {
    if (pc - code_ranges[i].begin < code_ranges[i].size) return base + (pc - code_ranges[i].begin);
    base += code_ranges[i].size;
  }
  return 0;
}
std::uint64_t pc_at_position(std::uint64_t position);

// Where the program called the library that now calls us, as far as the stack shows: a guess for
// people. It may differ between runs, since it may mistake leftovers of earlier calls on the stack
// for the call. 0: unknown.
std::uint64_t search_stack(std::uint64_t pc, void* frame);
void note_library_call(std::uint64_t pc, void* frame);

// The return address of an interposed function. For a call from a library, the guess is kept next
// to it.
inline std::uint64_t program_pc(std::uint64_t pc, void* frame) {
  if (__builtin_expect(pc - code_ranges[0].begin >= code_ranges[0].size, 0)) {
    note_library_call(pc, frame);
  }
  return pc;
}

}  // namespace snag::rt
