// What DWARF says about a function: its name and where it begins.
#pragma once

#include <elfutils/libdw.h>

#include <string>
#include <unordered_map>
#include <vector>

namespace snag::binary {

// Whether functions may stand inside an entry with that tag: g++ puts a lambda's inside the
// function around it.
bool may_hold_functions(int tag);

// Short, as short_function_name gives it; "main::{lambda}::operator()" for what has no linkage
// name.
std::string function_name(Dwarf_Die* die);

// The same for many functions of a file, each examined once. A function without a linkage name
// (every one in C) is named by the entries around it, and finding these means walking through the
// whole unit.
class FunctionNames {
 public:
  struct Function {
    std::string name;
    int line;  // where it begins. Of a lambda it is not always recorded: then of the function
               // around it. 0: not known
  };
  const Function& at(Dwarf_Die* die);

 private:
  using Parents = std::unordered_map<const void*, Dwarf_Die>;  // by Dwarf_Die::addr

  // The entry itself, then what is around it.
  std::vector<Dwarf_Die> scopes_of(Dwarf_Die die);
  static void add_parents(Dwarf_Die parent, Parents& parents);

  std::unordered_map<const void*, Function> functions_;  // by the address of the declaration
  std::unordered_map<const void*, Parents> units_;
};

// The entry itself, then what is around it. (dwarf_getscopes_die looks through the whole unit.)
std::vector<Dwarf_Die> scopes_of(Dwarf_Die die);

// From the entry itself or the entries it refers to; 0 if there is none.
int unsigned_attribute(Dwarf_Die* die, unsigned which);

}  // namespace snag::binary
