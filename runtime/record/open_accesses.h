// Accesses of a kind whose memory nobody has touched since.
#pragma once

#include <cstdint>

#include "protocol/ops.h"

namespace snag::rt {

class OpenAccesses {
 public:
  void clear() { count_ = 0; }
  // An access at a first place.
  void add(std::uint64_t address, std::uint64_t size, Tid thread);
  // Some access: whoever is the last one to have touched one of these bytes, other than the thread
  // itself; kNoTid: nobody that is known. After it they are nobody's.
  Tid take(std::uint64_t address, std::uint64_t size, Tid thread);

 private:
  static constexpr std::uint32_t kCapacity = 256;  // beyond, the oldest are forgotten
  static constexpr std::uint32_t kBytes = 64;  // of an access; what lies behind is not looked at
  struct Open {
    std::uint64_t address;
    std::uint64_t bytes;  // which of them nobody has touched since
    Tid thread;
  };
  Open open_[kCapacity]{};
  std::uint32_t count_ = 0;
};

}  // namespace snag::rt
