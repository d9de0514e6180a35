// What a line of source calls the thing that an operation there acts on: "q->count_" of
// "q->count_ = x;". A guess from the text at the column that the debug information names, for
// memory that has no symbol of its own.
#pragma once

#include <string>
#include <string_view>

#include "runtime/op.h"

namespace snag::report {

// `line` with its leading blanks, `column` counted from 1. Empty: cannot be told.
std::string accessed_expression(std::string_view line, int column, OpKind op);

}  // namespace snag::report
