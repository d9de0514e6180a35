// What an instrumented instruction does, according to the hook that it calls.
#pragma once

#include <cstdint>

namespace snag::binary {

enum class LocationKind : std::uint8_t { kAccess, kRead, kWrite, kUpdate, kEntry, kLock, kCount };

}  // namespace snag::binary
