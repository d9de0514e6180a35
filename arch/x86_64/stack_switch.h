#pragma once

#include <sys/auxv.h>

namespace snag {

// Whether a program may set its thread pointer itself (FSGSBASE), which snag_switch_stacks needs.
inline bool can_switch_stacks() {
  constexpr unsigned long kHasFsGsBase = 2;  // bit of AT_HWCAP2
  return (getauxval(AT_HWCAP2) & kHasFsGsBase) != 0;
}

}  // namespace snag

// Saves the callee-saved registers on the stack and the stack pointer in *from, and goes on where
// *to was saved, with another thread pointer. Returns when a switch leads back.
extern "C" void snag_switch_stacks(void** from, void* const* to, unsigned long thread_pointer);
// Saves like a switch, then ends the kernel thread without touching the stack again.
extern "C" void snag_park_and_exit(void** save);
