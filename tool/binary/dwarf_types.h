// What DWARF says about types and variables: sizes, members, and which member is at an offset.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>

namespace snag::binary {

// The type of a variable, member or parameter, without typedefs and qualifiers.
std::optional<Dwarf_Die> type_of(Dwarf_Die* die);
// In bytes; 0: not known.
std::uint64_t size_of(Dwarf_Die type);
bool is_class(Dwarf_Die type);
bool is_pointer(Dwarf_Die type);
bool is_reference(Dwarf_Die type);
// The type that a pointer or reference refers to, or that of an array's elements; for a class, its
// first template argument, as smart pointers and containers have it.
std::optional<Dwarf_Die> target_of(Dwarf_Die type);
std::optional<Dwarf_Die> first_template_argument(Dwarf_Die type);

// "ns::Queue", without template arguments.
std::string type_name(Dwarf_Die type);
// The same with the class's own template arguments.
std::string full_type_name(Dwarf_Die type);
// "ns::Cache::instances", "f()::table".
std::string variable_name(Dwarf_Die* die);
// A symbol of the symbol table, for people.
std::string readable_symbol(const char* name);

struct Member {
  Dwarf_Die owner;  // the class that declares it, which may be a base
  Dwarf_Die type;
  std::uint64_t offset;  // from the begin of the class that was searched
};
std::optional<Member> find_member(Dwarf_Die type, const std::string& name);

// ".limits.max", "[3]": the way to the smallest part of a variable that contains the access. Stops
// where the standard library's own members begin. Empty: the variable itself.
std::string path_at(Dwarf_Die type, std::uint64_t offset, std::uint64_t size);

}  // namespace snag::binary
