// Where in the source an operation is, in a form that survives edits elsewhere: the function's
// name, the line counted from the function's own first line, the column, and the kind of operation.
// And schedules in terms of such positions: "thread 2 ran until it was about to lock, in
// Queue::pop, line 3, for the 3rd time; then 1".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/failed_run.h"

namespace snag::trace {

struct Position {
  OpKind op = OpKind::kNone;
  std::string function;
  std::string file;  // base name
  int line = 0;      // for people
  int column = 0;
  int line_in_function = 0;  // from the function's declaration, which is line 0
  // Of a plain access in a library's function: where there, "std::vector::size+2:15". A line that
  // calls the library has many accesses, and only some of them are schedule points: this
  // distinguishes them.
  std::string via;

  // Equal for the same place of two builds: the absolute line is not part of it. All operations
  // that may wait count as the same, since a wait can end otherwise than it began (a condition
  // variable's by locking, or by a timeout).
  std::string key() const;
  // "queue.cc:41" or, without debug information, the function.
  std::string place() const;
};

// One switch from a thread to another.
struct Switch {
  Tid thread = 0;                 // ran,
  std::uint64_t steps = 0;        // this many steps,
  std::optional<Position> until;  // until it was about to do this (nothing: it ended there),
  std::uint64_t occurrence = 0;   // which it had done `occurrence - 1` times before;
  Tid to = 0;                     // then this one went on.
};

// Gives positions for operations of one process, and small numbers for equal ones.
//
// The position of an operation is the innermost place in the user's own code. Library functions
// that the compiler did not inline hide it: then it is among the callers.
class PositionTable {
 public:
  PositionTable(binary::Symbolizer& symbolizer, const binary::ModuleMap& modules)
      : symbolizer_(symbolizer), modules_(modules) {}

  // Number of the position; equal keys have equal numbers. `callers` are return addresses,
  // innermost first, up to a zero.
  std::uint32_t id(OpKind op, std::uint64_t pc, std::span<const std::uint64_t> callers);
  const Position& position(std::uint32_t id) const { return positions_[id]; }

 private:
  // The operation's own address, and the one that gives its position: the same, or a caller's.
  struct Place {
    std::uint64_t pc, user_pc;
    bool operator==(const Place&) const = default;
  };
  struct PlaceHash {
    std::size_t operator()(const Place& place) const {
      return std::hash<std::uint64_t>()(place.pc * 0x9e3779b97f4a7c15 ^ place.user_pc);
    }
  };
  bool is_users(std::uint64_t pc);

  binary::Symbolizer& symbolizer_;
  const binary::ModuleMap& modules_;
  std::vector<Position> positions_;
  std::unordered_map<std::string, std::uint32_t> by_key_;
  std::unordered_map<std::uint64_t, bool> is_users_;
  std::unordered_map<Place, std::uint32_t, PlaceHash> by_place_[static_cast<int>(OpKind::kCount)];
};

// `user_frames` belong to the address that gives the position: that of the operation, whose own
// frames are `frames`, or of one of its callers.
Position position_of(OpKind op, const binary::Frames& frames, const binary::Frames& user_frames);

// The exact form of a schedule: run lengths of the steps' threads.
std::vector<Stretch> find_stretches(const std::vector<Step>& steps);

// The readable form: one entry per switch. Needs the run's frames to see through library functions
// that are not inlined.
std::vector<Switch> find_switches(const session::FailedRun& run, binary::Symbolizer& symbolizer);

}  // namespace snag::trace
