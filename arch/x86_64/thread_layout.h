#pragma once

#include <cstddef>
#include <cstdint>

namespace snag {

// Points at libc's descriptor of the thread, whose address is the pthread_t as well. The
// thread-local variables of the program and of the libraries loaded at start lie right below it,
// and the stack below these.
inline unsigned long thread_pointer() {
  unsigned long value;
  asm("movq %%fs:0, %0" : "=r"(value));
  return value;
}

// At most this much of a thread's mapping lies above the thread pointer: the descriptor.
inline constexpr std::uint64_t kThreadDescriptorSize = 4096;

// Whether the address can be that of a thread-local variable, if these take at most `most` bytes.
inline bool may_be_thread_local(unsigned long thread_pointer, std::uint64_t address,
                                std::uint64_t most) {
  return thread_pointer - address <= most;
}

// From __builtin_frame_address(0) to the caller's frame: the saved frame pointer and the return
// address.
inline constexpr std::uint64_t kFrameLinkSize = 16;

// The value of a pthread_spinlock_t that no thread holds.
inline constexpr int kUnlockedSpinLock = 1;

}  // namespace snag
