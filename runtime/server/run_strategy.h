// The strategy that Config asks for, with program counters as they are in this process.
#pragma once

#include "runtime/sched/observer.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {

// Null if this runtime does not know it.
Strategy* strategy_for(Shared* shared);

// Sets the strategy up again when the program has loaded a library: the places that it is directed
// to may be in there.
Observer* directed_places_observer();

}  // namespace snag::rt
