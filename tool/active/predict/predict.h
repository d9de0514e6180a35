// Phase 1: predicts what could go wrong in another run from the runs watched.
//
// The predictors know which orders starting and joining threads enforce, and which locks threads
// hold. They do not know about flags and other conditions, so they also predict what can never
// happen: only phase 2 (tool/active/confirm/confirm.h) tells the two apart.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/candidates/place_names.h"
#include "tool/active/candidates/watched_run.h"

namespace snag::active {

inline constexpr std::uint32_t kDefaultCycle = 5;

struct PredictInput {
  const Observation& observation;
  PlaceNames& names;
  std::uint32_t longest_cycle = kDefaultCycle;  // threads in a deadlock
  std::string program = {};                     // the file to search for checks
};

// The predictors, one per kind of candidate, in predict_<word>.cc:
//
//   race       Two accesses by different threads to the same bytes, at least one a write, not both
//              atomic, not ordered by start and join, without a common lock.
//   deadlock   Cycles of threads in which each holds a lock and wants the one that the next holds
//              (iGoodlock). A lock that two of them hold is a gate lock: it rules the cycle out.
//   atomicity  Two accesses of one thread, one after the other in one function (or in functions
//              that it calls), and an access of another thread that can come in between and that
//              no serial order explains. To the same memory, or to two variables that both threads
//              use together.
//   assertion  Checks in the program that could fail: what they read, and the writes of other
//              threads to it.
//
// Candidate::promise orders all candidates: assertions 11 to 19, deadlocks 3 to 9, races 0 to 2,
// atomicity -3 to -1.
#define SNAG_DECLARE(kind, word, ...) std::vector<Candidate> predict_##word(const PredictInput&);
SNAG_CANDIDATE_KINDS(SNAG_DECLARE)
#undef SNAG_DECLARE

// All candidates of one kind.
std::vector<Candidate> predict(Kind kind, const PredictInput& input);

// All candidates of these kinds, without duplicates, the most promising first.
std::vector<Candidate> predict(const KindSet& kinds, const PredictInput& input);

}  // namespace snag::active
