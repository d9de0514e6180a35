// Implements <snag/allocator.h>, and the allocators that programs use besides malloc.
//
// TBB's and mimalloc's allocators keep their own memory; these functions only report what they hand
// out. They synchronise by atomics that are not seen, so without the reports a reused block would
// look like the old one, and its new owner would race with the last one. With jemalloc and
// tcmalloc, malloc and free are Snag's already (see heap.cc), and programs mix these with the
// libraries' own functions: so those take their memory from malloc, too.
//
// Weak: a program that contains one of these libraries keeps it.
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/detect/races/races.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/openmp.h"
#include "runtime/sched/observer.h"

using namespace snag;
using namespace snag::rt;

#define SNAG_ALLOCATOR extern "C" __attribute__((visibility("default"), weak))

namespace {

using Size = std::size_t;

void* announced(void* block, Size size) {
  if (block && observes_memory()) observe_allocated(block, size);
  return block;
}
void announce_free(void* block, Size size, std::uint64_t pc) {
  if (!block || !controlled || !observes(kObservesMemory)) return;
  observe_freed(block, size, pc, code_position(pc) == 0);
}

// The library's own function. Null if there is none, because the library was linked statically and
// nothing else needs it; malloc then takes its place.
template <class F>
F real_of(F* known, const char* name) {
  F function = __atomic_load_n(known, __ATOMIC_RELAXED);
  if (!function) {
    function = reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
    __atomic_store_n(known, function, __ATOMIC_RELAXED);
  }
  return function;
}
#define SNAG_REAL(name, type)                   \
  []() {                                        \
    using Function = type;                      \
    static constinit Function* known = nullptr; \
    return real_of<Function*>(&known, #name);   \
  }()
#define SNAG_PC reinterpret_cast<std::uint64_t>(__builtin_return_address(0))

void* aligned(Size alignment, Size size) {
  void* block = nullptr;
  return posix_memalign(&block, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) == 0
             ? block
             : nullptr;
}

}  // namespace

SNAG_INTERPOSE void snag_allocated(const void* block, Size size) {
  if (size != 0 && observes_memory()) observe_allocated(block, size);
}
SNAG_INTERPOSE void snag_freed(const void* block, Size size) {
  if (size == 0 || !controlled) return;
  observe_freed(block, size, SNAG_PC, false);
  // (That checks the accesses until now. This is for the accesses after it.)
  if (race_detection) race_access(block, size, true, SNAG_PC);
}

// ---- Allocators with the same functions under other names. ----

#define SNAG_MALLOC(name)                                             \
  SNAG_ALLOCATOR void* name(Size size) {                              \
    auto* real_one = SNAG_REAL(name, void*(Size));                    \
    return real_one ? announced(real_one(size), size) : malloc(size); \
  }
#define SNAG_CALLOC(name)                                                                   \
  SNAG_ALLOCATOR void* name(Size count, Size size) {                                        \
    auto* real_one = SNAG_REAL(name, void*(Size, Size));                                    \
    return real_one ? announced(real_one(count, size), count * size) : calloc(count, size); \
  }
#define SNAG_FREE(name, size_of)                                           \
  SNAG_ALLOCATOR void name(void* block) {                                  \
    auto* real_one = SNAG_REAL(name, void(void*));                         \
    if (!real_one) return free(block);                                     \
    auto* get_size = SNAG_REAL(size_of, Size(const void*));                \
    if (block && get_size) announce_free(block, get_size(block), SNAG_PC); \
    real_one(block);                                                       \
  }
// (The library copies the contents to the new block, unseen.)
#define SNAG_REALLOC(name, size_of)                                  \
  SNAG_ALLOCATOR void* name(void* old, Size size) {                  \
    auto* real_one = SNAG_REAL(name, void*(void*, Size));            \
    if (!real_one) return realloc(old, size);                        \
    auto* get_size = SNAG_REAL(size_of, Size(const void*));          \
    if (old && get_size) announce_free(old, get_size(old), SNAG_PC); \
    return announced(real_one(old, size), size);                     \
  }
#define SNAG_ALIGNED(name)                                                                   \
  SNAG_ALLOCATOR void* name(Size size, Size alignment) {                                     \
    auto* real_one = SNAG_REAL(name, void*(Size, Size));                                     \
    return real_one ? announced(real_one(size, alignment), size) : aligned(alignment, size); \
  }
#define SNAG_POSIX_MEMALIGN(name)                                     \
  SNAG_ALLOCATOR int name(void** result, Size alignment, Size size) { \
    auto* real_one = SNAG_REAL(name, int(void**, Size, Size));        \
    if (!real_one) return posix_memalign(result, alignment, size);    \
    const int error = real_one(result, alignment, size);              \
    if (error == 0) announced(*result, size);                         \
    return error;                                                     \
  }

SNAG_MALLOC(scalable_malloc)
SNAG_CALLOC(scalable_calloc)
SNAG_REALLOC(scalable_realloc, scalable_msize)
SNAG_FREE(scalable_free, scalable_msize)
SNAG_ALIGNED(scalable_aligned_malloc)
SNAG_FREE(scalable_aligned_free, scalable_msize)
SNAG_POSIX_MEMALIGN(scalable_posix_memalign)

SNAG_MALLOC(mi_malloc)
SNAG_MALLOC(mi_malloc_small)
SNAG_MALLOC(mi_zalloc)
SNAG_CALLOC(mi_calloc)
SNAG_CALLOC(mi_mallocn)
SNAG_REALLOC(mi_realloc, mi_usable_size)
SNAG_FREE(mi_free, mi_usable_size)
SNAG_ALIGNED(mi_malloc_aligned)
SNAG_ALIGNED(mi_zalloc_aligned)
SNAG_POSIX_MEMALIGN(mi_posix_memalign)
SNAG_MALLOC(mi_new)
SNAG_MALLOC(mi_new_nothrow)
SNAG_ALIGNED(mi_new_aligned)

// ---- TBB's own library, which finds its allocator by dlopen. (The size of the blocks that it
// takes back is unknown.) ----

#define SNAG_TBB(name, symbol)                                        \
  SNAG_ALLOCATOR void* name(Size size) asm(symbol);                   \
  void* name(Size size) {                                             \
    static void* (*known)(Size);                                      \
    auto* real_one = real_of(&known, symbol);                         \
    return real_one ? announced(real_one(size), size) : malloc(size); \
  }
SNAG_TBB(snag_tbb_allocate, "_ZN3tbb6detail2r115allocate_memoryEm")
SNAG_TBB(snag_tbb_cache_aligned, "_ZN3tbb6detail2r122cache_aligned_allocateEm")

// ---- jemalloc: bits of the flags ask for an alignment and for zeroed memory. ----

namespace {

constexpr Size alignment_of(int flags) { return Size{1} << (flags & 63); }
constexpr bool is_zeroed(int flags) { return (flags & 64) != 0; }

}  // namespace

SNAG_ALLOCATOR void* mallocx(Size size, int flags) {
  void* block = alignment_of(flags) > 16 ? aligned(alignment_of(flags), size) : malloc(size);
  if (block && is_zeroed(flags)) memset(block, 0, size);
  return block;
}
SNAG_ALLOCATOR void* rallocx(void* old, Size size, int flags) {
  const Size before = malloc_usable_size(old);
  void* block = mallocx(size, flags);
  if (!block) return nullptr;
  memcpy(block, old, before < size ? before : size);
  free(old);
  return block;
}
// (The block stays as it is: it is allowed not to grow.)
SNAG_ALLOCATOR Size xallocx(void* block, Size, Size, int) { return malloc_usable_size(block); }
SNAG_ALLOCATOR Size sallocx(const void* block, int) {
  return malloc_usable_size(const_cast<void*>(block));
}
SNAG_ALLOCATOR void dallocx(void* block, int) { free(block); }
SNAG_ALLOCATOR void sdallocx(void* block, Size, int) { free(block); }
SNAG_ALLOCATOR Size nallocx(Size size, int flags) {
  const Size alignment = alignment_of(flags) > 16 ? alignment_of(flags) : 16;
  return (size + alignment - 1) & ~(alignment - 1);
}

// ---- tcmalloc. ----

SNAG_ALLOCATOR void* tc_malloc(Size size) { return malloc(size); }
SNAG_ALLOCATOR void* tc_malloc_skip_new_handler(Size size) { return malloc(size); }
SNAG_ALLOCATOR void* tc_calloc(Size count, Size size) { return calloc(count, size); }
SNAG_ALLOCATOR void* tc_realloc(void* old, Size size) { return realloc(old, size); }
SNAG_ALLOCATOR void* tc_memalign(Size alignment, Size size) { return memalign(alignment, size); }
SNAG_ALLOCATOR int tc_posix_memalign(void** result, Size alignment, Size size) {
  return posix_memalign(result, alignment, size);
}
SNAG_ALLOCATOR void* tc_valloc(Size size) { return valloc(size); }
SNAG_ALLOCATOR void* tc_pvalloc(Size size) { return pvalloc(size); }
SNAG_ALLOCATOR void tc_free(void* block) { free(block); }
SNAG_ALLOCATOR void tc_cfree(void* block) { free(block); }
SNAG_ALLOCATOR void tc_free_sized(void* block, Size) { free(block); }
SNAG_ALLOCATOR Size tc_malloc_size(void* block) { return malloc_usable_size(block); }
SNAG_ALLOCATOR Size tc_nallocx(Size size, int flags) { return nallocx(size, flags); }

// ---- OpenMP: libomp reuses memory. ----

#define SNAG_OMP_ALLOCATE(name, parameters, size, ...)                \
  SNAG_INTERPOSE_OPENMP void* name parameters {                       \
    SNAG_OPENMP_REAL(name);                                           \
    void* block = native(__VA_ARGS__);                                \
    if (block && observes_memory()) observe_allocated(block, (size)); \
    return block;                                                     \
  }
SNAG_OMP_ALLOCATE(omp_alloc, (std::size_t size, std::uintptr_t from), size, size, from)
SNAG_OMP_ALLOCATE(omp_aligned_alloc, (std::size_t alignment, std::size_t size, std::uintptr_t from),
                  size, alignment, size, from)
SNAG_OMP_ALLOCATE(omp_calloc, (std::size_t count, std::size_t size, std::uintptr_t from),
                  count* size, count, size, from)
SNAG_OMP_ALLOCATE(__kmpc_alloc, (int thread, std::size_t size, std::uintptr_t from), size, thread,
                  size, from)
SNAG_OMP_ALLOCATE(__kmpc_aligned_alloc,
                  (int thread, std::size_t alignment, std::size_t size, std::uintptr_t from), size,
                  thread, alignment, size, from)
