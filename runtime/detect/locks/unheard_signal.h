// Whether a thread waited for a condition variable because a signal came before its wait: found in
// the log of the run's steps, after the fact. A plain function of the log.
#pragma once

#include <cstdint>

#include "protocol/steps.h"

namespace snag::rt {

inline constexpr std::uint64_t kNotInLog = UINT64_MAX;

struct UnheardSignal {
  std::uint64_t signal = kNotInLog;  // the step that signalled too early; kNotInLog: there is none
  // The steps by which the waiting thread read a word, and the signalling thread then wrote it. If
  // they are kNotInLog, the waiting thread learnt of nothing that the other one did.
  std::uint64_t read = kNotInLog, written = kNotInLog;

  bool found() const { return signal != kNotInLog; }
};

// `wait`: the step by which the thread began to wait, of the kind kCondWait. `signaller`: the
// thread of the last signal that no thread was waiting for.
//
// A thread that waits with a timeout may do so by design, and time out with good reason: a timer,
// or a worker that ends when nobody needs it. Its signals come when there is something to see, and
// it looks before it waits. So an early signal was lost only if the waiting thread could not know
// what the signal told, and that is so in two cases:
//
//   - it had read a word before the signalling thread wrote it, and has not read it since: it waits
//     because of a value that was out of date before the signal;
//   - since its last signal (or since it created the waiting thread), the signalling thread did
//     nothing that the waiting thread could have learnt of: no lock, no memory and no third thread
//     leads from there to the wait. Then there is nothing that the waiting thread could have seen.
//
// What the log does not tell counts as knowledge, so that no correct program is accused.
UnheardSignal find_unheard_signal(const Step* log, std::uint64_t wait, Tid signaller);

}  // namespace snag::rt
