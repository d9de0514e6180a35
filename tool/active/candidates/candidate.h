// Something that could go wrong: the places that threads have to be at, and in what roles. The
// predictors make candidates from the runs watched, and so do reports of other tools.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/active/candidates/candidate_kinds.h"

namespace snag::active {

// A place in the program: an operation and its callers, innermost first, as return addresses. It
// has only those callers that are needed to leave a library's functions.
using CodePlace = std::vector<ModulePc>;

// One of the roles, see Directed in protocol/shared_memory.h.
struct Side {
  std::vector<CodePlace> places;  // any of these: the compiler may have copied the place
  std::string text;               // as reports show it: "writes left at tickets.cc:10 in Buy"
};

struct Candidate {
  Kind kind = Kind::kRace;
  std::vector<Side> sides;
  std::string title;          // one line, as reports show it
  bool is_counted = false;    // kAssertion: a test framework counts it and continues
  std::string location;       // kAssertion: "file.cc:12", as failures have it
  std::string variable;       // kRace: only on this variable, see MemoryPart; empty: on any
  std::string memory;         // kRace: the variable as the source names it, for suppressions
  bool any_memory = false;    // kAtomicity: of several variables
  int promise = 0;            // candidates with a higher promise are tried first
  std::string suppressed_by;  // the line of the suppressions file; empty: not suppressed

  // Identifies the candidate across runs and across calls of the tool.
  std::string key() const;
};

// What the runtime needs to steer a run towards the candidate.
Directed directed_of(const Candidate& candidate);
// Where threads may have to be held: these must be schedule points from the first run on.
std::vector<ModulePc> points_of(const Candidate& candidate);

// Adds the places of a candidate with the same key.
void add_places(Candidate& to, Candidate from);
// Merges candidates with the same key, and sorts them by promise.
std::vector<Candidate> united(std::vector<Candidate> candidates);

}  // namespace snag::active
