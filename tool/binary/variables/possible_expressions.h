// All expressions of a line of source that an access may belong to.
//
// g++ gives a read that is part of an assignment the place of the whole assignment: the read at the
// "+=" of "sum += cfg" is of sum or of cfg. If it is unknown which, all are returned.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/binary/variables/source_expression.h"

namespace snag::binary {

// kOther: both at once, or not known.
enum class AccessKind { kRead, kWrite, kOther };

// `column` counts bytes from 1. Empty if nothing could be parsed.
std::vector<SourceExpression> possible_expressions(std::string_view line, int column,
                                                   AccessKind access);

// The same line with spaces in place of quoted text and comments.
std::string without_texts(std::string_view line);

// Adds the arguments of the call at that column: "p->key" of "items.insert(p->key, 1)".
void add_arguments(std::vector<SourceExpression>& all, std::string_view line, int column);

// Of the array "items" at that column the element "items[i]", which clang gives the same column;
// empty if it is not an array.
SourceExpression element_at(std::string_view line, int column);

}  // namespace snag::binary
