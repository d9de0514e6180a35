// Implements mmap and its kin: memory that the program gets straight from the kernel is new,
// whatever was there before.
#include <errno.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/shm.h>

#include "arch/arch.h"
#include "runtime/interpose/interpose.h"

using namespace snag;
using namespace snag::rt;

SNAG_INTERPOSE void* mmap(void* address, std::size_t size, int protection, int flags,
                          int descriptor, off_t offset) {
  const long result = raw_syscall(SYS_mmap, as_arg(address), static_cast<long>(size), protection,
                                  flags, descriptor, offset);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return MAP_FAILED;
  }
  auto* memory = reinterpret_cast<void*>(result);
  if (observes_memory()) observe_allocated(memory, size);
  return memory;
}
extern "C" __attribute__((visibility("default"), alias("mmap"))) void* mmap64(void*, std::size_t,
                                                                              int, int, int, off_t);

SNAG_INTERPOSE void* mremap(void* old, std::size_t old_size, std::size_t size, int flags, ...) {
  void* wanted = nullptr;
  if (flags & MREMAP_FIXED) {
    va_list more;
    va_start(more, flags);
    wanted = va_arg(more, void*);
    va_end(more);
  }
  const long result = raw_syscall(SYS_mremap, as_arg(old), static_cast<long>(old_size),
                                  static_cast<long>(size), flags, as_arg(wanted));
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return MAP_FAILED;
  }
  auto* memory = reinterpret_cast<char*>(result);
  if (observes_memory()) {
    if (memory != old) {
      observe_allocated(memory, size);
    } else if (size > old_size) {
      observe_allocated(memory + old_size, size - old_size);
    }
  }
  return memory;
}

SNAG_INTERPOSE void* shmat(int id, const void* address, int flags) {
  const long result = raw_syscall(SYS_shmat, id, as_arg(address), flags);
  if (result < 0 && result > -4096) {
    errno = static_cast<int>(-result);
    return reinterpret_cast<void*>(-1);
  }
  auto* memory = reinterpret_cast<void*>(result);
  shmid_ds about{};
  if (observes_memory() && raw_syscall(SYS_shmctl, id, IPC_STAT, as_arg(&about)) == 0)
    observe_allocated(memory, about.shm_segsz);
  return memory;
}
