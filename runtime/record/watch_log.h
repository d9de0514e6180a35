// Writes down what predictions need to know of a run: see protocol/watch.h.
//
// In the usual case, that an access is nothing new, it costs some look-ups: where it is (a cache of
// call stacks), what its thread did to this word before (a cache per thread), and whether this word
// has seen a similar access (a shadow of the memory).
#pragma once

#include "runtime/sched/observer.h"

namespace snag::rt {

Observer* watch_observer();

}  // namespace snag::rt
