// Records what predictions need to know about a run: see protocol/watch.h.
//
// In the usual case, when an access is nothing new, it costs a few look-ups: its place (a cache of
// call stacks), what its thread did to this word before (a cache per thread), and whether this word
// has seen a similar access (shadow memory).
#pragma once

#include "runtime/sched/observer.h"

namespace snag::rt {

Observer* watch_observer();

}  // namespace snag::rt
