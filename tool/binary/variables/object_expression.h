// The lock or other synchronization object that an operation in a line of source acts on: "m" of
// "std::lock_guard lock(m);". A guess, as a short text for people. For memory, see
// Variables::source_name.
#pragma once

#include <string>
#include <string_view>

#include "protocol/ops.h"

namespace snag::binary {

// `line` with its leading blanks. Empty: unknown, or the line uses several.
std::string object_expression(std::string_view line, OpKind op);

}  // namespace snag::binary
