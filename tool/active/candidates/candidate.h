// Something that could go wrong: the places at which threads have to be, and in what roles.
// Anything can produce one: the predictions from a run (active/predict_*.h), or a report of another
// tool.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/shared_memory.h"

namespace snag::active {

enum class Kind { kRace, kDeadlock, kAtomicity, kAssertion };

std::string_view name_of(Kind kind);

// A place in the program: an operation and its callers, innermost first, as return addresses. Of
// the callers only those that are needed to get out of a library's functions.
using CodePlace = std::vector<ModulePc>;

// One of the roles, see Directed in protocol/shared_memory.h.
struct Side {
  std::vector<CodePlace> places;  // any of these: the compiler may have made several of one
  std::string text;               // for people: "writes left at tickets.cc:10 in Buy"
};

struct Candidate {
  Kind kind = Kind::kRace;
  std::vector<Side> sides;
  std::string title;          // for people, one line
  bool is_counted = false;    // kAssertion: a test framework tells it at the end, and goes on
  std::string location;       // kAssertion: "file.cc:12", as failures tell it
  std::string variable;       // kRace: only on this one, see MemoryPart; empty: on any
  std::string memory;         // kRace: the same as a person would write it, for suppressions
  bool any_memory = false;    // kAtomicity: of several variables
  int promise = 0;            // the higher, the sooner it is tried
  std::string suppressed_by;  // as it stands in the file of suppressions; empty: by nothing

  // The same for the same candidate of another run, and of another call of the tool.
  std::string key() const;
};

// What the runtime has to know of it.
Directed directed_of(const Candidate& candidate);
// Where threads may have to be held: schedule points from the beginning on.
std::vector<ModulePc> points_of(const Candidate& candidate);

// Adds the places of one that is the same to a person.
void add_places(Candidate& to, Candidate from);
// Puts candidates together that are the same to a person, and sorts them by promise.
std::vector<Candidate> united(std::vector<Candidate> candidates);

}  // namespace snag::active
