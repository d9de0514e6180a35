#include "engine/dwarf_function.h"

#include <cxxabi.h>
#include <dwarf.h>

#include <cstdlib>
#include <memory>

#include "engine/symbolizer.h"

namespace snag::engine {
namespace {

// The entry where a function was declared: there, its surroundings give it a name.
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

// "main::{lambda}::operator()" for what has no linkage name.
std::string qualified_name(Dwarf_Die* die) {
  Dwarf_Die declaration = declaration_of(*die);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  std::string result;
  for (int i = 0; i < count; ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    const bool names = tag == DW_TAG_subprogram || tag == DW_TAG_namespace ||
                       tag == DW_TAG_class_type || tag == DW_TAG_structure_type ||
                       tag == DW_TAG_union_type;
    if (!names) continue;
    Dwarf_Die scope = i == 0 ? scopes[i] : declaration_of(scopes[i]);
    const char* name = dwarf_diename(&scope);
    std::string part = name != nullptr ? short_function_name(name) : "";
    // g++ calls the type of a lambda "<lambda(...)>", clang does not name it.
    if (part.empty()) part = tag == DW_TAG_namespace ? "(anonymous)" : "{lambda}";
    result = result.empty() ? part : part + "::" + result;
  }
  std::free(scopes);
  return result;
}

}  // namespace

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? text.get() : name;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(die, which, &attribute) != nullptr) {
      if (const char* name = dwarf_formstring(&attribute))
        return short_function_name(demangle(name));
    }
  }
  return qualified_name(die);  // C functions, and some lambdas
}

int unsigned_attribute(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, which, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &value) == 0 ? static_cast<int>(value) : 0;
}

int function_line(Dwarf_Die* die) {
  if (const int line = unsigned_attribute(die, DW_AT_decl_line); line != 0) return line;
  Dwarf_Die declaration = declaration_of(*die);
  Dwarf_Die* scopes = nullptr;
  const int count = dwarf_getscopes_die(&declaration, &scopes);
  int line = 0;
  for (int i = 1; i < count && line == 0; ++i) {
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
      line = unsigned_attribute(&scopes[i], DW_AT_decl_line);
  }
  std::free(scopes);
  return line;
}

}  // namespace snag::engine
