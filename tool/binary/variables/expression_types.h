// What an expression of the source means, according to the debug information of its function.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/binary/debug_file.h"
#include "tool/binary/variables/source_expression.h"

namespace snag::binary {

struct ResolvedExpression {
  enum class Base { kLocal, kCaptured, kMember, kGlobal };
  Base base = Base::kLocal;  // what the first name is
  std::string name;          // that name
  std::string text;  // "Queue::limits.max" if it is in an object of a class, else as written
  bool is_indirect = false;         // behind a pointer or reference, not in the base itself
  bool is_enclosing_local = false;  // a lambda has a reference to this variable of its function
  std::optional<Dwarf_Die> type;    // of the expression
  std::optional<Dwarf_Die> object;  // the class whose object contains it, if it is behind a pointer
  std::uint64_t offset = 0;         // of the expression in that object
  std::uint64_t size = 0;           // its size there; 0: unknown
};

// The place of an expression.
struct ExpressionPlace {
  Dwarf_Die function;  // the entry of the function, or of one that was inlined
  int line = 0;
  std::uint64_t pc = 0;  // as in the file's debug information; 0: not known
};

// The last one is the expression as a whole. Before it come the objects of
// classes whose operators it uses: of "limits->max" the smart pointer, of "numbers[1]" the vector.
// Empty if its first name is not a variable.
std::vector<ResolvedExpression> resolve_expression(const SourceExpression& expression,
                                                   const ExpressionPlace& place, DebugFile& file);

// The only variable that the function declares in that line; empty: none, or several.
std::string variable_declared_at(Dwarf_Die function, int line);

}  // namespace snag::binary
