#include "tool/binary/dwarf_function.h"

#include <dwarf.h>

#include <algorithm>

#include "tool/binary/function_name.h"

namespace snag::binary {
namespace {

// The entry where a function was declared: the entries around that one qualify its name.
Dwarf_Die declaration_of(Dwarf_Die die) {
  Dwarf_Attribute attribute;
  Dwarf_Die next;
  for (int hops = 0; hops < 8; ++hops) {
    if (dwarf_attr(&die, DW_AT_abstract_origin, &attribute) == nullptr &&
        dwarf_attr(&die, DW_AT_specification, &attribute) == nullptr) {
      break;
    }
    if (dwarf_formref_die(&attribute, &next) == nullptr) break;
    die = next;
  }
  return die;
}

using Scopes = std::vector<Dwarf_Die>;  // the entry itself, then what is around it

std::string qualified_name(const Scopes& scopes) {
  std::string result;
  for (std::size_t i = 0; i < scopes.size(); ++i) {
    Dwarf_Die scope = scopes[i];
    const int tag = dwarf_tag(&scope);
    const bool names = tag == DW_TAG_subprogram || tag == DW_TAG_namespace ||
                       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
                       tag == DW_TAG_union_type;
    if (!names) continue;
    if (i != 0) scope = declaration_of(scope);
    const char* name = dwarf_diename(&scope);
    std::string part = name != nullptr ? short_function_name(name) : "";
    // g++ calls the type of a lambda "<lambda(...)>", clang does not name it.
    if (part.empty()) part = tag == DW_TAG_namespace ? "(anonymous)" : "{lambda}";
    result = result.empty() ? part : part + "::" + result;
  }
  return result;
}

// Empty if it has none.
std::string linkage_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(die, which, &attribute) != nullptr) {
      if (const char* name = dwarf_formstring(&attribute))
        return short_function_name(demangle(name));
    }
  }
  return "";
}

}  // namespace

bool may_hold_functions(int tag) {
  return tag == DW_TAG_subprogram || tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
         tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_lexical_block ||
         tag == DW_TAG_inlined_subroutine;
}

std::string function_name(Dwarf_Die* die) {
  if (std::string name = linkage_name(die); !name.empty()) return name;
  return qualified_name(scopes_of(declaration_of(*die)));
}

std::vector<Dwarf_Die> scopes_of(Dwarf_Die die) {
  std::vector<Dwarf_Die> scopes;
  Dwarf_Die around;
  if (dwarf_diecu(&die, &around, nullptr, nullptr) == nullptr) return {die};
  const auto begins_until = [&](const Dwarf_Die& entry) {
    return static_cast<const char*>(entry.addr) <= static_cast<const char*>(die.addr);
  };
  // Entries lie one after the other, with their children directly behind them.
  while (around.addr != die.addr) {
    scopes.push_back(around);
    Dwarf_Die next, found{};
    for (int end = dwarf_child(&around, &next); end == 0 && begins_until(next);
         end = dwarf_siblingof(&next, &next)) {
      found = next;
    }
    if (found.addr == nullptr) return {die};
    around = found;
  }
  scopes.push_back(die);
  std::reverse(scopes.begin(), scopes.end());
  return scopes;
}

int unsigned_attribute(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, which, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &value) == 0 ? static_cast<int>(value) : 0;
}

void FunctionNames::add_parents(Dwarf_Die parent, Parents& parents) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    if (!may_hold_functions(dwarf_tag(&child))) continue;
    parents.emplace(child.addr, parent);
    add_parents(child, parents);
  } while (dwarf_siblingof(&child, &child) == 0);
}

std::vector<Dwarf_Die> FunctionNames::scopes_of(Dwarf_Die die) {
  std::vector<Dwarf_Die> scopes{die};
  Dwarf_Die unit;
  if (dwarf_diecu(&die, &unit, nullptr, nullptr) == nullptr) return scopes;
  auto [entry, is_new] = units_.try_emplace(unit.addr);
  if (is_new) add_parents(unit, entry->second);
  const Parents& parents = entry->second;
  for (auto found = parents.find(die.addr); found != parents.end();
       found = parents.find(found->second.addr)) {
    scopes.push_back(found->second);
  }
  return scopes;
}

const FunctionNames::Function& FunctionNames::at(Dwarf_Die* die) {
  const Dwarf_Die declaration = declaration_of(*die);
  auto [entry, is_new] = functions_.try_emplace(declaration.addr);
  Function& function = entry->second;
  if (!is_new) return function;
  function.name = linkage_name(die);
  function.line = unsigned_attribute(die, DW_AT_decl_line);
  if (!function.name.empty() && function.line != 0) return function;
  std::vector<Dwarf_Die> scopes = scopes_of(declaration);
  if (function.name.empty()) function.name = qualified_name(scopes);
  for (std::size_t i = 1; i < scopes.size() && function.line == 0; ++i) {
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
      function.line = unsigned_attribute(&scopes[i], DW_AT_decl_line);
  }
  return function;
}

}  // namespace snag::binary
