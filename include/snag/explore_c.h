// The C interface behind <snag/explore.h>: plain data, so that it does not depend on the program's
// compiler flags.
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct snag_explore_options {
  const char* strategy;
  const char* points;
  const char* backend;
  uint64_t runs;
  uint64_t seed;
  uint64_t max_steps;
  double seconds;
  double hang_seconds;
  uint32_t pct_depth;
  int32_t preemptions;
  const char* replay; /* a token of an earlier result: run just that schedule */
  int keep_output;
  int races;       /* data races are failures */
  int heap_checks; /* heap errors are failures */
  int lock_misuse; /* misuse of locks is a failure */
};

enum snag_explore_end {
  SNAG_EXPLORE_PASSED,   /* no schedule failed */
  SNAG_EXPLORE_FAILED,   /* one did */
  SNAG_EXPLORE_REFUSED,  /* no schedule could run */
  SNAG_EXPLORE_DIVERGED, /* the replay could not follow its token */
};

struct snag_explore_result {
  int failed;    /* an enum snag_explore_end */
  int confirmed; /* the failure came back in a replay */
  uint64_t runs;
  uint64_t distinct_orders;
  uint64_t steps;
  uint64_t failing_run;
  int exhausted;
  int bound_hit;
  char kind[24];
  char message[1024];
  char* threads; /* what each thread was doing, as text; to be freed */
  char* token;   /* replays the failure; to be freed */
};

void snag_explore(const struct snag_explore_options* options, void (*body)(void*), void* argument,
                  struct snag_explore_result* result);
/* Ends the run as failed. Outside of snag_explore: prints and aborts. */
__attribute__((noreturn)) void snag_fail(const char* message);
int snag_is_controlled(void);

#ifdef __cplusplus
}
#endif
