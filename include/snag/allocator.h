/* Tells snag about memory that a pool, an arena or another allocator of the program's own hands
 * out and takes back.
 *
 *   void* Pool::take(size_t size) {
 *     void* block = ...;
 *     SNAG_ALLOCATED(block, size);
 *     return block;
 *   }
 *   void Pool::give_back(void* block, size_t size) {
 *     SNAG_FREED(block, size);
 *     ...
 *
 * SNAG_ALLOCATED: earlier accesses to this memory no longer matter. SNAG_FREED: like
 * free(), it counts as a write to the whole block, so that a thread which still uses it has a
 * data race. Nothing else is needed for a pool that is compiled by `snag c++` and synchronises by
 * locks or atomics; but a pool that it does not see may seem to hand on memory while the last owner
 * still has it.
 *
 * For C and C++. Does nothing in a program that runs without snag, also in one that was not built
 * by `snag c++`. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In Snag's runtime; weak, so that programs without it link. */
__attribute__((weak)) void snag_allocated(const void* block, size_t size);
__attribute__((weak)) void snag_freed(const void* block, size_t size);

#ifdef __cplusplus
}
#endif

#define SNAG_ALLOCATED(block, size) \
  (snag_allocated ? snag_allocated((const void*)(block), (size)) : (void)0)
#define SNAG_FREED(block, size) (snag_freed ? snag_freed((const void*)(block), (size)) : (void)0)
