// Decides which of the threads that wait for the schedule may go on. All of it runs under the lock.
#pragma once

#include <cstdint>
#include <string>

#include "schedule/enforce/enforcer_state.h"
#include "schedule/enforce/threads.h"

namespace snag::schedule {

// What a waiting thread finds in its word.
constexpr std::uint32_t kKeepWaiting = 0, kGoOn = 1, kLook = 2;

// Lets all threads continue that may.
void let_go_on();
// The schedule has failed: from now on no thread waits.
void release_all(const std::string& problem);
// Makes one of the threads that wait here check.
void wake(Thread* thread, std::uint32_t reason);
// Returns when the schedule allows the caller's `action`, which has then happened.
void wait_in_snag(Critical& critical, Thread* self, const Action& action,
                  const snag_event_site* site);
// The caller does `action`: immediately, or when the schedule allows it.
void pass(Critical& critical, Thread* self, const Action& action, const snag_event_site* site);
// `action` has happened. Does not check which threads may continue now.
void happen(const Action& action);

}  // namespace snag::schedule
