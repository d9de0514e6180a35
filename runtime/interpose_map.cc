// mmap: memory that the program gets straight from the kernel is new, whatever was there before.
#include <errno.h>
#include <sys/mman.h>

#include "runtime/interpose.h"
#include "runtime/memory_events.h"
#include "runtime/raw_syscall.h"

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
  if (controlled && memory_events) memory_allocated(memory, size);
  return memory;
}
extern "C" __attribute__((visibility("default"), alias("mmap"))) void* mmap64(void*, std::size_t,
                                                                              int, int, int, off_t);
