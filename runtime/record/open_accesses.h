// Accesses of one kind whose memory has not been accessed since.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag::rt {

class OpenAccesses {
 public:
  void clear() { count_ = 0; }
  // An access at a first place.
  void add(std::uint64_t address, std::uint64_t size, Tid thread);
  // Any access: returns the other thread whose open access is the last one to these bytes, or
  // kNoTid if none is known. Closes the accesses to these bytes.
  Tid take(std::uint64_t address, std::uint64_t size, Tid thread);

 private:
  static constexpr std::uint32_t kCapacity = 256;  // beyond, the oldest are forgotten
  static constexpr std::uint32_t kBytes = 64;      // of an access; the bytes after them are ignored
  struct Open {
    std::uint64_t address;
    std::uint64_t bytes;  // those that have not been accessed since
    Tid thread;
  };
  Open open_[kCapacity]{};
  std::uint32_t count_ = 0;
};

}  // namespace snag::rt
