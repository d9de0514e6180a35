#include "tool/binary/dwarf_types.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <vector>

#include "tool/binary/dwarf_function.h"
#include "tool/binary/function_name.h"
#include "tool/binary/symbolizer.h"

namespace snag::binary {
namespace {

// Types refer to types; damaged debug information may have cycles.
constexpr int kMaxHops = 64;

std::optional<Dwarf_Die> referred_type(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die type;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr ||
      dwarf_formref_die(&attribute, &type) == nullptr) {
    return std::nullopt;
  }
  return type;
}

std::optional<Dwarf_Die> stripped(std::optional<Dwarf_Die> type) {
  for (int hops = 0; type && hops < kMaxHops; ++hops) {
    switch (dwarf_tag(&*type)) {
      case DW_TAG_typedef:
      case DW_TAG_const_type:
      case DW_TAG_volatile_type:
      case DW_TAG_restrict_type:
      case DW_TAG_atomic_type:
        type = referred_type(&*type);
        break;
      default:
        return type;
    }
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, which, &attribute) == nullptr ||
      dwarf_formudata(&attribute, &value) != 0) {
    return std::nullopt;
  }
  return value;
}

// From the begin of the class; nothing for static members and virtual bases.
std::optional<std::uint64_t> offset_of(Dwarf_Die* member, Dwarf_Die type) {
  if (dwarf_tag(&type) == DW_TAG_union_type) return 0;
  if (const auto bits = number(member, DW_AT_data_bit_offset)) return *bits / 8;
  return number(member, DW_AT_data_member_location);
}

// How many elements each dimension of an array has.
std::vector<std::uint64_t> dimensions(Dwarf_Die array) {
  std::vector<std::uint64_t> counts;
  Dwarf_Die child;
  if (dwarf_child(&array, &child) != 0) return counts;
  do {
    if (dwarf_tag(&child) != DW_TAG_subrange_type) continue;
    if (const auto count = number(&child, DW_AT_count)) {
      counts.push_back(*count);
    } else if (const auto upper = number(&child, DW_AT_upper_bound)) {
      counts.push_back(*upper + 1);
    } else {
      counts.push_back(0);
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return counts;
}

bool is_internal(const char* name) {
  return name[0] == '_' && (name[1] == '_' || (name[1] >= 'A' && name[1] <= 'Z'));
}

// One step down: which member, base or element contains the access.
struct Inner {
  Dwarf_Die type;
  std::uint64_t offset;  // of the access in it
  std::string path;      // empty for bases and what has no name
};

// The bytes that a member or base takes in an object of the class.
struct Extent {
  std::uint64_t begin, end;
  bool is_bit_field;
};

std::optional<Extent> extent_of(Dwarf_Die* member, Dwarf_Die type, Dwarf_Die inner) {
  const auto begin = offset_of(member, type);
  if (!begin) return std::nullopt;
  const auto bits = number(member, DW_AT_bit_size);
  if (!bits) return Extent{*begin, *begin + size_of(inner), false};
  // Not the size of its type: other members begin in those bytes.
  std::uint64_t first = number(member, DW_AT_data_bit_offset).value_or(*begin * 8);
  if (const auto from_top = number(member, DW_AT_bit_offset)) {  // DWARF 3, and g++ also with 4
    const std::uint64_t unit = number(member, DW_AT_byte_size).value_or(size_of(inner)) * 8;
    if (*from_top + *bits <= unit) first += unit - *from_top - *bits;
  }
  return Extent{first / 8, (first + *bits + 7) / 8, true};
}

std::optional<Inner> inner_member(Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  Dwarf_Die child;
  if (dwarf_child(&type, &child) != 0) return std::nullopt;
  std::optional<Inner> found;
  Extent best{};
  bool is_best_named = false, is_clear = true;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const auto inner = type_of(&child);
    const auto extent = inner ? extent_of(&child, type, *inner) : std::nullopt;
    if (!extent || offset < extent->begin || offset + size > extent->end) continue;
    const char* name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    // Bit-fields in the same byte cannot be told apart.
    if (found && best.is_bit_field && extent->is_bit_field) is_clear = false;
    // A member may lie in the padding at the end of a base, or at the address of an empty base.
    const bool is_better = !found || extent->begin > best.begin ||
                           (extent->begin == best.begin && name != nullptr && !is_best_named);
    if (!is_better) continue;
    best = *extent;
    is_best_named = name != nullptr;
    const bool is_std_array = is_best_named && std::string_view(name) == "_M_elems";
    if (is_best_named && is_internal(name) && !is_std_array) {
      found = Inner{type, offset, ""};
      is_clear = false;
      continue;
    }
    found = Inner{*inner, offset - extent->begin,
                  is_best_named && !is_std_array ? fmt::format(".{}", name) : ""};
  } while (dwarf_siblingof(&child, &child) == 0);
  return is_clear ? found : std::nullopt;
}

std::optional<Inner> inner_element(Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  const auto element = type_of(&type);
  const std::uint64_t element_size = element ? size_of(*element) : 0;
  if (element_size == 0 || offset % element_size + size > element_size) return std::nullopt;
  std::uint64_t index = offset / element_size;
  const std::vector<std::uint64_t> counts = dimensions(type);
  std::string path;
  for (auto count = counts.rbegin(); count != counts.rend(); ++count) {
    const bool is_first = count + 1 == counts.rend();
    path = fmt::format("[{}]", is_first || *count == 0 ? index : index % *count) + path;
    if (*count != 0) index /= *count;
  }
  return Inner{*element, offset % element_size, path};
}

// The parts of a name outwards: "ns::Queue" for a class, "f()" for a function.
std::string surroundings(Dwarf_Die* die) {
  std::vector<Dwarf_Die> scopes = scopes_of(*die);
  std::string result;
  for (std::size_t i = 1; i < scopes.size(); ++i) {
    const int tag = dwarf_tag(&scopes[i]);
    if (tag == DW_TAG_subprogram) {
      result = function_name(&scopes[i]) + "()::" + result;  // that is qualified already
      break;
    }
    const bool names = tag == DW_TAG_namespace || tag == DW_TAG_class_type ||
                       tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
    const char* name = names ? dwarf_diename(&scopes[i]) : nullptr;
    if (name != nullptr) result = short_function_name(name) + "::" + result;
  }
  return result;
}

std::string without_anonymous(std::string name) {
  for (const std::string_view part : {"(anonymous namespace)::", "(anonymous)::"}) {
    for (std::size_t at; (at = name.find(part)) != std::string::npos;) name.erase(at, part.size());
  }
  return name;
}

}  // namespace

std::optional<Dwarf_Die> type_of(Dwarf_Die* die) { return stripped(referred_type(die)); }

std::uint64_t size_of(Dwarf_Die type) {
  Dwarf_Word size = 0;
  return dwarf_aggregate_size(&type, &size) == 0 ? size : 0;
}

bool is_class(Dwarf_Die type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

bool is_pointer(Dwarf_Die type) { return dwarf_tag(&type) == DW_TAG_pointer_type; }

bool is_reference(Dwarf_Die type) {
  const int tag = dwarf_tag(&type);
  return tag == DW_TAG_reference_type || tag == DW_TAG_rvalue_reference_type;
}

std::optional<Dwarf_Die> first_template_argument(Dwarf_Die type) {
  Dwarf_Die child;
  if (dwarf_child(&type, &child) != 0) return std::nullopt;
  do {
    if (dwarf_tag(&child) == DW_TAG_template_type_parameter) return type_of(&child);
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

std::optional<Dwarf_Die> target_of(Dwarf_Die type) {
  if (is_pointer(type) || is_reference(type) || dwarf_tag(&type) == DW_TAG_array_type) {
    return type_of(&type);
  }
  if (!is_class(type)) return std::nullopt;
  auto argument = first_template_argument(type);
  return argument && is_pointer(*argument) ? type_of(&*argument) : argument;  // iterators
}

std::string type_name(Dwarf_Die type) {
  const char* name = dwarf_diename(&type);
  if (name == nullptr) return "";
  return without_anonymous(surroundings(&type) + short_function_name(name));
}

std::string full_type_name(Dwarf_Die type) {
  const char* name = dwarf_diename(&type);
  return name == nullptr ? "" : surroundings(&type) + name;
}

std::string variable_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  Dwarf_Die declared = *die;
  for (const unsigned which : {DW_AT_specification, DW_AT_abstract_origin}) {
    Dwarf_Die next;
    if (dwarf_attr(die, which, &attribute) != nullptr &&
        dwarf_formref_die(&attribute, &next) != nullptr) {
      declared = next;
    }
  }
  const char* name = dwarf_diename(&declared);
  return without_anonymous(surroundings(&declared) + (name != nullptr ? name : ""));
}

std::string readable_symbol(const char* name) {
  // "_ZSt4cout@GLIBCXX_3.4": the version of a library's symbol is not part of its name.
  const std::string text(name);
  return without_anonymous(demangle(text.substr(0, text.find('@')).c_str()));
}

std::optional<Member> find_member(Dwarf_Die type, const std::string& name) {
  std::vector<Member> bases;
  Dwarf_Die child;
  if (!is_class(type) || dwarf_child(&type, &child) != 0) return std::nullopt;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    const auto offset = offset_of(&child, type);
    const auto inner = type_of(&child);
    if (!offset || !inner) continue;
    const char* member_name = tag == DW_TAG_member ? dwarf_diename(&child) : nullptr;
    if (member_name == nullptr) {
      bases.push_back({type, *inner, *offset});  // also anonymous unions
    } else if (name == member_name) {
      return Member{type, *inner, *offset};
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  for (const Member& base : bases) {
    if (auto found = find_member(base.type, name)) {
      found->offset += base.offset;
      const char* owner_name = dwarf_diename(&found->owner);
      if (owner_name == nullptr) found->owner = type;
      return found;
    }
  }
  return std::nullopt;
}

std::string path_at(Dwarf_Die type, std::uint64_t offset, std::uint64_t size) {
  std::string path;
  for (int hops = 0; hops < kMaxHops; ++hops) {
    std::optional<Inner> inner;
    if (is_class(type)) inner = inner_member(type, offset, size);
    if (dwarf_tag(&type) == DW_TAG_array_type) inner = inner_element(type, offset, size);
    if (!inner) break;
    path += inner->path;
    type = inner->type;
    offset = inner->offset;
  }
  return path;
}

}  // namespace snag::binary
