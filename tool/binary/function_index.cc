#include "tool/binary/function_index.h"

#include <dwarf.h>

#include <algorithm>

#include "tool/binary/dwarf_function.h"

namespace snag::binary {

void FunctionIndex::add_ranges(Dwarf_Die* die, Dwarf_Addr bias, Ranges& ranges) {
  Dwarf_Addr base = 0, begin = 0, end = 0;
  for (std::ptrdiff_t at = 0; (at = dwarf_ranges(die, at, &base, &begin, &end)) > 0;) {
    if (begin < end) ranges.push_back({begin, end, *die, bias});
  }
}

// Functions may be anywhere: g++ puts a lambda's inside the function around it, whose own code does
// not contain the lambda's (so libdw's search by scopes misses it).
void FunctionIndex::add_functions(Dwarf_Die parent, Ranges& ranges) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) add_ranges(&child, 0, ranges);
    if (may_hold_functions(tag)) add_functions(child, ranges);
  } while (dwarf_siblingof(&child, &child) == 0);
}

FunctionIndex::Range* FunctionIndex::find(Ranges& ranges, Dwarf_Addr address) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), address,
                       [](Dwarf_Addr value, const Range& range) { return value < range.begin; });
  if (behind == ranges.begin()) return nullptr;
  Range& range = *std::prev(behind);
  return address < range.end ? &range : nullptr;
}

// .debug_aranges answers at once; where they are missing (clang's default), all units are listed.
Dwarf_Die* FunctionIndex::unit_at(Dwfl_Module* module, std::uint64_t address, Dwarf_Addr* bias) {
  if (Dwarf_Die* unit = dwfl_module_addrdie(module, address, bias)) return unit;
  const auto by_begin = [](const Range& a, const Range& b) { return a.begin < b.begin; };
  if (!has_units_) {
    has_units_ = true;
    Dwarf_Addr own_bias = 0;
    for (Dwarf_Die* unit = nullptr;
         (unit = dwfl_module_nextcu(module, unit, &own_bias)) != nullptr;) {
      const std::size_t count = units_.size();
      add_ranges(unit, own_bias, units_);
      for (std::size_t i = count; i < units_.size(); ++i) {
        units_[i].begin += own_bias;
        units_[i].end += own_bias;
      }
    }
    std::sort(units_.begin(), units_.end(), by_begin);
  }
  Range* range = find(units_, address);
  if (range == nullptr) return nullptr;
  *bias = range->bias;
  return &range->die;
}

Dwarf_Die* FunctionIndex::function_at(Dwarf_Die* unit, Dwarf_Addr address) {
  auto [entry, is_new] = functions_.try_emplace(dwarf_dieoffset(unit));
  if (is_new) {
    Ranges& ranges = entry->second;
    add_functions(*unit, ranges);
    std::stable_sort(ranges.begin(), ranges.end(),
                     [](const Range& a, const Range& b) { return a.begin < b.begin; });
    // The linker may have merged functions with the same code: the first one counts.
    const auto is_same = [](const Range& a, const Range& b) { return a.begin == b.begin; };
    ranges.erase(std::unique(ranges.begin(), ranges.end(), is_same), ranges.end());
  }
  Range* range = find(entry->second, address);
  return range == nullptr ? nullptr : &range->die;
}

}  // namespace snag::binary
