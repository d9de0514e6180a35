#pragma once

#include <ucontext.h>

#include <cstdint>

namespace snag {

// Rounding and exceptions: a thread inherits them from its creator.
struct FloatModes {
  std::uint32_t mxcsr;
  std::uint16_t x87_control;
};
inline void save_float_modes(FloatModes& modes) {
  asm volatile("stmxcsr %0\n\tfnstcw %1" : "=m"(modes.mxcsr), "=m"(modes.x87_control));
}
inline void load_float_modes(const FloatModes& modes) {
  asm volatile("ldmxcsr %0\n\tfldcw %1" : : "m"(modes.mxcsr), "m"(modes.x87_control));
}

// Where a signal interrupted the program, from the third argument of a handler (SA_SIGINFO).
inline std::uint64_t interrupted_pc(const void* context) {
  return static_cast<std::uint64_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
}
inline std::uint64_t interrupted_stack_pointer(const void* context) {
  return static_cast<std::uint64_t>(
      static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RSP]);
}

// From the handler of a system call that was trapped: what it returns.
inline void set_system_call_result(void* context, long result) {
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_RAX] = result;
}

// The registers that a function must preserve, but the stack pointer, by their numbers in DWARF:
// rbx, rbp, r12 to r15.
inline constexpr int kSavedRegisters[] = {3, 6, 12, 13, 14, 15};
inline constexpr int kSavedRegisterCount = 6;

}  // namespace snag
