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

// Where libc's descriptor of a thread has the kernel's id of it, from the descriptor's beginning; 0
// if it is nowhere. The id lies behind the header and a list's two pointers. (Words of 4 bytes at
// other places are the upper halves of pointers, and 0x7fff is an id as well.)
inline std::size_t find_thread_id(const void* descriptor, std::uint32_t id) {
  for (std::size_t offset = 0x200; offset < 0x400; offset += 8) {
    if (*reinterpret_cast<const std::uint32_t*>(static_cast<const char*>(descriptor) + offset) ==
        id)
      return offset;
  }
  return 0;
}

// At most this much of a thread's mapping lies above the thread pointer: the descriptor.
inline constexpr std::uint64_t kThreadDescriptorSize = 4096;

// The stack of a thread, with the thread-local variables at its upper end, lies below this address.
inline std::uint64_t end_of_stack(unsigned long thread_pointer) {
  return thread_pointer + kThreadDescriptorSize;
}

// The block of a module's thread-local variables in a thread, and whether libc made it when the
// thread first used one of them. The numbers of modules count from 1
// (dl_phdr_info::dlpi_tls_modid).
struct ThreadLocalBlock {
  void* begin;  // null: the thread has none
  bool on_demand;
};

// libc's vector of these blocks; __tls_get_addr makes its layout part of the ABI. The entry before
// the first one holds the number of modules that there is room for.
struct ThreadLocalVector {
  void* block;  // not a pointer, but ~0, until there is one
  void* to_free;
};
inline ThreadLocalVector* thread_local_vector(unsigned long thread_pointer) {
  return reinterpret_cast<ThreadLocalVector**>(thread_pointer)[1];
}
// Grows with each module that has thread-local variables, from the moment on at which the thread
// uses one that was loaded since.
inline unsigned long thread_local_generation(unsigned long thread_pointer) {
  return reinterpret_cast<unsigned long>(thread_local_vector(thread_pointer)[0].block);
}
inline ThreadLocalBlock thread_local_block(unsigned long thread_pointer, std::size_t module) {
  const ThreadLocalVector* vector = thread_local_vector(thread_pointer);
  if (module > reinterpret_cast<std::size_t>(vector[-1].block)) return {};
  const ThreadLocalVector& entry = vector[module];
  if (entry.block == nullptr || entry.block == reinterpret_cast<void*>(~0ul)) return {};
  return {entry.block, entry.to_free != nullptr};
}
// Makes libc give the thread a new block when it next uses the module's variables.
inline void forget_thread_local_block(unsigned long thread_pointer, std::size_t module) {
  thread_local_vector(thread_pointer)[module] = {reinterpret_cast<void*>(~0ul), nullptr};
}

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
