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

// Appended to the message of a failure that the program had all the same.
inline constexpr const char* kDamagedToo =
    "; the program also overwrote Snag's shared memory, so look for a wild write first";

// Tells whether the record of a failure is as the runtime wrote it: a wild write before that time
// does not matter then.
inline std::uint64_t seal_of(const Shared& shared) {
  std::uint64_t hash = 14695981039346656037u;
  const auto add = [&](const void* data, std::size_t size) {
    const auto* bytes = static_cast<const unsigned char*>(data);
    for (std::size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
  };
  const Failure& failure = shared.run.failure;
  add(&failure, sizeof failure);
  const std::uint32_t count = failure.threads <= kMaxThreads ? failure.threads : 0;
  add(shared.threads, count * sizeof(ThreadReport));
  return hash;
}

}  // namespace snag
