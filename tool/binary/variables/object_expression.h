// The expression in a line of source for the object that an operation there acts on: "q->count_" of
// "q->count_ = x;", "m" of "std::lock_guard lock(m);". A guess, as a short text for people.
#pragma once

#include <string>
#include <string_view>

#include "protocol/ops.h"

namespace snag::binary {

// `line` with its leading blanks, `column` counted from 1. Empty: unknown.
std::string object_expression(std::string_view line, int column, OpKind op);

}  // namespace snag::binary
