#pragma once
#include "runtime/protocol.h"
namespace snag::rt {
inline bool heap_block(const void*, MemoryReport*) { return false; }
}
