// A location pair that a run should cover (Config::wanted): notices when it is covered.
//
// The pair is covered when a thread accesses memory at one of the first places, and the next access
// to a byte of it is by another thread at one of the second places.
#pragma once

#include "protocol/shared_memory.h"

namespace snag::rt {

// The places of the wanted pair, as they lie in this process.
const WantedPair& wanted_pair();

}  // namespace snag::rt
