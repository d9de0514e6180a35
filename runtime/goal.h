// A location pair that a run is to cover (Config::wanted): notices when it has.
//
// The pair is covered when a thread accesses memory at one of the first places, and the next access
// to a byte of it is by another thread at one of the second places.
#pragma once

#include <cstdint>

#include "runtime/protocol.h"

namespace snag::rt {

// Whether there is one.
extern bool goal_on;

// Once, in the process that outlives the runs.
void init_goal(const Shared* shared);
void begin_goal();

// An access of the current thread.
void goal_access(const volatile void* address, std::uint64_t size, std::uint64_t pc);
// The memory is used anew.
void goal_forget(const void* address, std::uint64_t size);

// The places of the wanted pair, as they lie in this process.
const WantedPair& wanted_pair();

// The accesses to one place that nobody has touched since: apart from the scheduler, for tests.
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
