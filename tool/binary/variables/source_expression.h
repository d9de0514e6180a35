// The expression that a memory access belongs to, found in the line of source that the compiler
// recorded for it.
//
// The column of an access is that of the variable or member itself, or of the operator that makes
// the access: g++ and clang agree on "=" and "+=" and "++", which name the operands next to them,
// but g++ gives "]" for the element of an array where clang gives the array, and so on. So this is
// a good guess, to be checked against the debug information.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace snag::binary {

struct SourceExpression {
  enum class Step { kName, kMember, kArrow, kIndex, kDereference, kCast };
  struct Part {
    Step step;
    std::string text;  // the name, or what stands between the brackets; empty for a cast
  };
  // "q->items[i]" is name q, arrow items, index i; "*p" is name p, dereference; "*(int*)p" has a
  // cast in between. Empty if nothing could be parsed.
  std::vector<Part> parts;
  // The access is made by a function that is called on the expression: "items" of
  // "items.push_back(1)".
  bool is_called = false;
  // It is one of the elements: the range of a range-based for.
  bool is_range = false;

  std::string text() const;
};

// `column` counts bytes from 1.
SourceExpression accessed_expression(std::string_view line, int column);

}  // namespace snag::binary
