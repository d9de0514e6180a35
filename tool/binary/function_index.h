// Which compilation unit and which function of a module an address belongs to. Each unit is walked
// only once, so looking up many addresses is cheap.
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <unordered_map>
#include <vector>

namespace snag::binary {

class FunctionIndex {
 public:
  // nullptr if there is no debug information about it. In the unit's own addresses, it is at
  // `address - *bias`.
  Dwarf_Die* unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr* bias);

  // The function with code at that address, in the unit's own addresses; nullptr if there is none.
  Dwarf_Die* function_at(Dwarf_Die* unit, Dwarf_Addr address);

 private:
  struct Range {
    Dwarf_Addr begin, end;
    Dwarf_Die die;
    Dwarf_Addr bias;
  };
  using Ranges = std::vector<Range>;  // by begin

  static void add_ranges(Dwarf_Die* die, Dwarf_Addr bias, Ranges& ranges);
  static void add_functions(Dwarf_Die parent, Ranges& ranges);
  static Range* find(Ranges& ranges, Dwarf_Addr address);

  bool has_units_ = false;
  Ranges units_;
  std::unordered_map<Dwarf_Off, Ranges> functions_;  // by unit
};

}  // namespace snag::binary
