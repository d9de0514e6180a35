// Whether a thread waited for a condition variable because a signal came before its wait: found in
// the log of the run's steps, after the fact. A plain function of the log.
#pragma once

#include <cstdint>

#include "protocol/steps.h"

namespace snag::rt {

inline constexpr std::uint64_t kNotInLog = UINT64_MAX;

struct UnheardSignal {
  std::uint64_t signal = kNotInLog;  // the step that signalled too early; kNotInLog: there is none
  // The steps by which the waiting thread read a word, and the signalling thread then wrote it.
  std::uint64_t read = kNotInLog, written = kNotInLog;

  bool found() const { return signal != kNotInLog; }
};

// `wait`: the step by which the thread began to wait, of the kind kCondWait. `signaller`: the
// thread of the last signal that no thread was waiting for. `mutex`: what the wait releases.
//
// A thread that waits with a timeout may do so by design, and time out with good reason: a timer,
// or a worker that ends when nobody needs it. The log does not show what it waits for: plain
// variables that a mutex protects are not in it. So an early signal counts as lost only if
//
//   - the thread read a word, after its previous wait, before the signalling thread wrote it, and
//     did not access it again: it waits because of a value that was out of date before the signal;
//   - the signalling thread has not held the mutex since its signal before. Otherwise the signal
//     may tell of something that was changed under the mutex. Of that, a thread that looks before
//     it waits misses nothing, and the word may be one that it does not wait for, such as a
//     counter;
//   - the thread has not waited for the condition variable before: otherwise it may well be one
//     that does something at intervals, even if a signal ended a wait whose time was up by then.
//
// What the log does not tell counts against the warning, so that no correct program is accused.
UnheardSignal find_unheard_signal(const Step* log, std::uint64_t wait, Tid signaller,
                                  std::uint64_t mutex);

}  // namespace snag::rt
