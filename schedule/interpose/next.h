// The functions that come after the interposed ones: a sanitizer's, or libc's.
#pragma once

#include "protocol/replaced_functions.h"

// Found by the program and its libraries in place of the function of that name behind it.
#define SNAG_INTERPOSE extern "C" __attribute__((visibility("default")))

namespace snag::schedule {

struct NextFunctions {
#define SNAG_DECLARE(name, result, parameters) result(*name) parameters;
  SNAG_REPLACED_FUNCTIONS(SNAG_DECLARE)
#undef SNAG_DECLARE
};

extern NextFunctions next_functions;
extern bool has_next_functions;
void find_next_functions();

inline const NextFunctions& next() {
  if (__builtin_expect(!__atomic_load_n(&has_next_functions, __ATOMIC_ACQUIRE), 0))
    find_next_functions();
  return next_functions;
}

}  // namespace snag::schedule
