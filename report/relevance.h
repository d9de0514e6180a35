// Which steps of a failing run a person should see. A run has thousands of steps; what explains it
// are the few on things that several threads touch, and of these the last ones before the failure.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/failure.h"

namespace snag::report {

// More rows do not fit on a screen.
inline constexpr std::size_t kMaxRows = 18;

struct RelevantSteps {
  std::vector<std::uint64_t> steps;  // numbers of steps from 0, in order
  // Others that would have been worth a row, if there were room for them.
  std::vector<std::uint64_t> left_out;
  // Rounds of a loop that are left out before the step: the loop's last round begins there.
  std::map<std::uint64_t, std::uint64_t> rounds;
  // A lost wakeup's signal that nobody was waiting for.
  std::vector<std::uint64_t> missed_signals;
};

RelevantSteps relevant_steps(const engine::FailedRun& run, std::size_t max_rows = kMaxRows);

bool is_memory_access(OpKind kind);
bool takes_lock(OpKind kind);
bool releases_lock(OpKind kind);

// What a step acts on: for memory the bytes that it accesses, and not all of the word.
std::uint64_t object_of(const engine::FailedRun& run, std::uint64_t step);
// The same of what a thread is about to do, or waits in.
std::uint64_t pending_object(const ThreadReport& report);

// Freeing a block is one step for each of its words: the first of these, and the one behind the
// last. Of any other step: itself, and the next.
std::uint64_t begin_of_free(const engine::FailedRun& run, std::uint64_t step);
std::uint64_t end_of_free(const engine::FailedRun& run, std::uint64_t step);

// Whether the access, which need not be a step, is this one.
bool is_step_of(const AccessReport& access, const engine::FailedRun& run, std::uint64_t step);

// That the block was freed, as an access; of no step if it was not.
AccessReport freeing_of(const HeapReport& heap);

// Whether the thread is one that the failure is about.
bool is_concerned(const engine::FailedRun& run, Tid thread);

}  // namespace snag::report
