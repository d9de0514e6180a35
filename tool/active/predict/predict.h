// Phase 1: what could go wrong in another run, from what was watched of some.
//
// All of these see only what the order of creating and joining threads forbids, and locks; what
// flags and other conditions forbid they do not see. So they find what was far apart in the run,
// and also what can never happen: only phase 2 (tool/active/confirm/confirm.h) tells the two apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"

namespace snag::active {

// Two accesses by different threads to the same bytes, one of them a write, not both atomic, in no
// order by start and join, without a lock in common.
std::vector<Candidate> predict_races(const Observation& observation, PlaceNames& names);

// Circles of threads in which each holds a lock and wants the one that the next one holds
// (iGoodlock), of at most so many threads. A lock that two of them hold both is a gate: then it
// cannot happen.
inline constexpr std::uint32_t kDefaultCycle = 5;
std::vector<Candidate> predict_deadlocks(const Observation& observation, PlaceNames& names,
                                         std::uint32_t longest = kDefaultCycle);

// Two accesses of one thread, one after the other in one function (or in functions that it calls),
// with an access of another thread that can come in between and leaves no order of the two threads
// one after the other that would explain it. To the same memory, or to two variables that both
// threads use together.
std::vector<Candidate> predict_atomicity(const Observation& observation, PlaceNames& names);

// Checks in the program that could fail: what they read, and the writes of other threads to it.
// `program` is the file to look for checks in.
std::vector<Candidate> predict_assertions(const Observation& observation, PlaceNames& names,
                                          const std::string& program,
                                          binary::Symbolizer& symbolizer);

}  // namespace snag::active
