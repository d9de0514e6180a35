// Turns the model of a class into pieces of a driver: for each method the ways to call it, best
// first. The build finds out which of them compile (driver_build.h).
//
// Arguments that only make sense together are made together: a pointer and its length, the two
// ends of a range, a position in the object itself, a token that belongs to it.
#pragma once

#include <string>
#include <vector>

#include "tool/gen/model/class_model.h"
#include "tool/gen/model/gen_target.h"

namespace snag::gen {

struct Adapter {
  std::string name;  // "push(const int&)"
  std::string text;  // "{object}.push({0})"
  int arguments = 0;
  unsigned flags = 0;                  // as in <snag/gen_flags.h>
  std::string code;                    // body of the function that makes the call
  std::vector<std::string> arg_types;  // bare types of its arguments
  std::string function;                // that it calls, as the linker knows it; may be empty
};

enum class PieceKind { kMaker, kConstructor, kMethod };

struct Piece {
  PieceKind kind = PieceKind::kMethod;
  std::string name;               // shown if none of it compiles
  std::vector<Adapter> variants;  // for a maker, only the code counts
  bool is_template = false;
  // A template with the same name as a plain method: often only meant for other instances of the
  // class, such as find() of a map that compares different types.
  bool has_plain_twin = false;
};

// How classes other than the one under test are made, and values from the user's pools.
std::vector<Piece> maker_pieces(const ClassModel& model, const GenTarget& options);
// Constructors and creators, or the user's factories instead.
std::vector<Piece> constructor_pieces(const ClassModel& model, const GenTarget& options);
// Methods that `include` and `exclude` allow.
std::vector<Piece> method_pieces(const ClassModel& model, const GenTarget& options);

}  // namespace snag::gen
