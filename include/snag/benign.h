/* Marks intended data races: snag does not report races on this memory, until the end of the
 * run, or until it is freed.
 *
 *   static int hits;                        // statistics: a lost update does not matter
 *   int main() {
 *     SNAG_BENIGN_RACE(hits);
 *     SNAG_BENIGN_RACE_RANGE(table, sizeof(table));
 *
 * For C and C++. Put it before the threads that race are made. Does nothing in a program that runs
 * without snag, also in one that was not built by `snag c++`. The accesses stay schedule points:
 * what the race leads to is still found. */
#pragma once

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In Snag's runtime; weak, so that programs without it link. */
__attribute__((weak)) void snag_benign_race(const void* address, size_t size);

#ifdef __cplusplus
}
#endif

#define SNAG_BENIGN_RACE_RANGE(address, size) \
  (snag_benign_race ? snag_benign_race((const void*)(address), (size)) : (void)0)

/* Of any variable or member that has an address. */
#ifdef __cplusplus
#define SNAG_BENIGN_RACE(variable) \
  SNAG_BENIGN_RACE_RANGE(__builtin_addressof(variable), sizeof(variable))
#else
#define SNAG_BENIGN_RACE(variable) SNAG_BENIGN_RACE_RANGE(&(variable), sizeof(variable))
#endif
