// Implements malloc, free and the rest of the allocator. In controlled runs with Config::heap they
// use runtime/detect/heap/heap.h, otherwise libc's own functions, under names that exist from the
// first moment: the dynamic linker allocates before anything can be looked up.
//
// Weak: a program with its own malloc keeps it, and its heap is not checked.
#include "runtime/detect/heap/heap.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <string.h>

#include "runtime/interpose/interpose.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* __libc_valloc(std::size_t);
void* __libc_pvalloc(std::size_t);
void __libc_free(void*);
}

#define SNAG_ALLOCATOR extern "C" __attribute__((visibility("default"), weak))

#define SNAG_CALL_SITE                                                    \
  call_site(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)), \
            __builtin_frame_address(0))

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 16;  // of every block

// The caller of the allocator, and the program's own place: operator new and containers of
// libstdc++ may lie between the two.
struct CallSite {
  std::uint64_t call, pc;

  bool is_library() const { return code_position(call) == 0; }
};

// Whether the function that frees is one of the C++ library's precompiled functions that work on
// the program's objects (those of std::string). All others free the library's own memory, often
// after counting its owners by atomics that are not seen: the text of a std::runtime_error, a
// std::locale.
bool works_for_program(std::uint64_t call) {
  static struct {
    std::uint64_t call;
    bool result;
  } known[64];
  auto& entry = known[(call ^ (call >> 6)) % 64];
  if (entry.call != call) {
    Dl_info info{};
    entry.call = call;
    entry.result = dladdr(reinterpret_cast<void*>(call), &info) != 0 && info.dli_sname != nullptr &&
                   strstr(info.dli_sname, "__cxx1112basic_string") != nullptr;
  }
  return entry.result;
}
bool frees_own(CallSite site) { return site.is_library() && !works_for_program(site.call); }

inline CallSite call_site(std::uint64_t call, void* frame) {
  if (__builtin_expect(call - code_ranges[0].begin < code_ranges[0].size, 1)) return {call, call};
  const std::uint64_t caller = search_stack(call, frame);
  return {call, caller != 0 ? caller : call};
}

// Whether an observer wants blocks at all; and whether new ones are tracked. Blocks allocated
// between two runs, or by a child process, are not.
inline bool unwatched() { return !heap_checks && !observes(kObservesMemory); }
inline bool tracked() { return heap_checks && controlled; }

// Raises the event for a plain block of libc.
void* announced(void* block) {
  if (hook_mode != HookMode::kNative && block)
    observe_allocated(block, real.malloc_usable_size(block));
  return block;
}

__attribute__((noinline)) void* watched_malloc(std::size_t size, CallSite site) {
  return tracked() ? heap_allocate(size, kAlignment, false, site.pc)
                   : announced(__libc_malloc(size));
}

__attribute__((noinline)) void watched_free(void* block, CallSite site) {
  if (!block) return;
  if (heap_checks) {
    heap_free_point(block, site.call, site.pc);
    if (heap_free(block, site.pc, frees_own(site))) return;
  }
  if (controlled) observe_freed(block, real.malloc_usable_size(block), site.pc, frees_own(site));
  __libc_free(block);
}

__attribute__((noinline)) void* watched_memalign(std::size_t alignment, std::size_t size,
                                                 CallSite site) {
  if (!tracked()) return announced(__libc_memalign(alignment, size));
  if (alignment > (SIZE_MAX >> 1) + 1) {
    errno = EINVAL;
    return nullptr;
  }
  // As libc does it: the next power of two.
  std::size_t power = kAlignment;
  while (power < alignment) power *= 2;
  return heap_allocate(size, power, false, site.pc);
}

__attribute__((noinline)) void* watched_realloc(void* old, std::size_t size, CallSite site) {
  if (!old) return watched_malloc(size, site);
  if (heap_checks) heap_free_point(old, site.call, site.pc);
  std::size_t old_size = 0;
  if (!heap_checks || !heap_owns(old, &old_size, site.pc)) {
    if (controlled) observe_freed(old, real.malloc_usable_size(old), site.pc, frees_own(site));
    void* block = __libc_realloc(old, size);
    announced(block || size == 0 ? block : old);
    return block;
  }
  void* block = nullptr;
  if (size != 0) {
    block = watched_malloc(size, site);
    if (!block) return nullptr;
    memcpy(block, old, old_size < size ? old_size : size);
  }
  heap_free(old, site.pc, frees_own(site));
  return block;
}

}  // namespace

SNAG_ALLOCATOR void* malloc(std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_malloc(size);
  return watched_malloc(size, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void free(void* block) {
  if (__builtin_expect(unwatched(), 1)) return __libc_free(block);
  watched_free(block, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void* calloc(std::size_t count, std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_calloc(count, size);
  if (!tracked()) return announced(__libc_calloc(count, size));
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  return heap_allocate(bytes, kAlignment, true, SNAG_CALL_SITE.pc);
}

SNAG_ALLOCATOR void* realloc(void* old, std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_realloc(old, size);
  return watched_realloc(old, size, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void* reallocarray(void* old, std::size_t count, std::size_t size) {
  std::size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) {
    errno = ENOMEM;
    return nullptr;
  }
  if (__builtin_expect(unwatched(), 1)) return __libc_realloc(old, bytes);
  return watched_realloc(old, bytes, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void* memalign(std::size_t alignment, std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_memalign(alignment, size);
  return watched_memalign(alignment, size, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void* aligned_alloc(std::size_t alignment, std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_memalign(alignment, size);
  return watched_memalign(alignment, size, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  if (alignment % sizeof(void*) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0)
    return EINVAL;
  const int saved_errno = errno;
  void* block = unwatched() ? __libc_memalign(alignment, size)
                            : watched_memalign(alignment, size, SNAG_CALL_SITE);
  errno = saved_errno;
  if (!block) return ENOMEM;
  *result = block;
  return 0;
}

SNAG_ALLOCATOR void* valloc(std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_valloc(size);
  return watched_memalign(kPage, size, SNAG_CALL_SITE);
}

SNAG_ALLOCATOR void* pvalloc(std::size_t size) {
  if (__builtin_expect(unwatched(), 1)) return __libc_pvalloc(size);
  if (size > PTRDIFF_MAX) {
    errno = ENOMEM;
    return nullptr;
  }
  return watched_memalign(kPage, (size + kPage - 1) & ~(kPage - 1), SNAG_CALL_SITE);
}

SNAG_ALLOCATOR std::size_t malloc_usable_size(void* block) {
  if (block && heap_checks) {
    const std::uint64_t pc = SNAG_CALL_SITE.pc;
    if (controlled && heap_is_freed(block)) heap_check(block, 1, false, pc);
    std::size_t size = 0;
    if (heap_owns(block, &size, pc)) return size;
  }
  return real.malloc_usable_size(block);
}

// ---- operator new with an alignment: libstdc++ rounds the size up to it, and what lies between
// would count as part of the block. Without memory it is libstdc++'s turn, which throws. ----

namespace {

template <class... Arguments>
void* aligned_new(const char* name, std::size_t size, std::size_t alignment, CallSite site,
                  Arguments... more) {
  if (tracked()) {
    if (void* block = watched_memalign(alignment, size, site)) return block;
  }
  using Native = void* (*)(std::size_t, std::size_t, Arguments...);
  return reinterpret_cast<Native>(dlsym(RTLD_NEXT, name))(size, alignment, more...);
}

}  // namespace

SNAG_ALLOCATOR void* snag_aligned_new(std::size_t size,
                                      std::size_t alignment) asm("_ZnwmSt11align_val_t");
void* snag_aligned_new(std::size_t size, std::size_t alignment) {
  return aligned_new("_ZnwmSt11align_val_t", size, alignment, SNAG_CALL_SITE);
}
SNAG_ALLOCATOR void* snag_aligned_new_array(std::size_t size,
                                            std::size_t alignment) asm("_ZnamSt11align_val_t");
void* snag_aligned_new_array(std::size_t size, std::size_t alignment) {
  return aligned_new("_ZnamSt11align_val_t", size, alignment, SNAG_CALL_SITE);
}
SNAG_ALLOCATOR void* snag_aligned_new_nothrow(
    std::size_t size, std::size_t alignment,
    const void* nothrow) asm("_ZnwmSt11align_val_tRKSt9nothrow_t");
void* snag_aligned_new_nothrow(std::size_t size, std::size_t alignment, const void* nothrow) {
  return aligned_new("_ZnwmSt11align_val_tRKSt9nothrow_t", size, alignment, SNAG_CALL_SITE,
                     nothrow);
}
SNAG_ALLOCATOR void* snag_aligned_new_array_nothrow(
    std::size_t size, std::size_t alignment,
    const void* nothrow) asm("_ZnamSt11align_val_tRKSt9nothrow_t");
void* snag_aligned_new_array_nothrow(std::size_t size, std::size_t alignment, const void* nothrow) {
  return aligned_new("_ZnamSt11align_val_tRKSt9nothrow_t", size, alignment, SNAG_CALL_SITE,
                     nothrow);
}
