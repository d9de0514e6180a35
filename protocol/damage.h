// Whether the program wrote over the memory that the tool and the server share. A wild write can
// reach that memory, too, and then nothing in it can be trusted.
#pragma once

#include "protocol/shared_memory.h"

namespace snag {

inline constexpr const char* kDamaged =
    "the program overwrote Snag's shared memory: its results cannot be trusted; look for a wild "
    "write, such as an index or a pointer that is out of bounds";

// Something that never changes has changed. (The server remembers more, so it detects more:
// DamageCheck.)
inline bool is_overwritten(const Shared& shared) {
  return shared.magic != kProtocolMagic || shared.version != kProtocolId;
}

}  // namespace snag
