#include "tool/binary/debug_file.h"

#include <dwarf.h>

#include <algorithm>

#include "tool/binary/dwarf_function.h"
#include "tool/binary/dwarf_types.h"
#include "tool/binary/function_name.h"
#include "tool/binary/symbolizer.h"

namespace snag::binary {
namespace {

// Local files only: a lookup must never go to the network.
constexpr Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                       .find_debuginfo = dwfl_build_id_find_debuginfo,
                                       .section_address = dwfl_offline_section_address,
                                       .debuginfo_path = nullptr};

bool has_code_at(Dwarf_Die* die, Dwarf_Addr address) { return dwarf_haspc(die, address) == 1; }

void add_inlined(Dwarf_Die parent, Dwarf_Addr address, std::vector<Dwarf_Die>& chain) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
    if (!has_code_at(&child, address)) continue;
    if (tag == DW_TAG_inlined_subroutine) chain.push_back(child);
    add_inlined(child, address, chain);
    return;
  } while (dwarf_siblingof(&child, &child) == 0);
}

enum class Storage { kNone, kFixed, kThreadLocal };

// The address of a variable, if it does not depend on registers.
Storage storage_of(Dwarf_Die* die, Dwarf_Addr* address) {
  Dwarf_Attribute attribute;
  Dwarf_Op* ops = nullptr;
  std::size_t count = 0;
  if (dwarf_attr(die, DW_AT_location, &attribute) == nullptr ||
      dwarf_whatform(&attribute) == DW_FORM_loclistx ||
      dwarf_whatform(&attribute) == DW_FORM_sec_offset ||
      dwarf_getlocation(&attribute, &ops, &count) != 0 || count == 0) {
    return Storage::kNone;
  }
  const auto last = ops[count - 1].atom;
  if (last == DW_OP_form_tls_address || last == DW_OP_GNU_push_tls_address) {
    return Storage::kThreadLocal;
  }
  if (ops[0].atom == DW_OP_addr) {
    *address = ops[0].number;
  } else if (ops[0].atom == DW_OP_addrx) {
    Dwarf_Attribute value;
    if (dwarf_getlocation_attr(&attribute, &ops[0], &value) != 0 ||
        dwarf_formaddr(&value, address) != 0) {
      return Storage::kNone;
    }
  } else {
    return Storage::kNone;
  }
  if (count == 2 && last == DW_OP_plus_uconst) {
    *address += ops[1].number;
    return Storage::kFixed;
  }
  return count == 1 ? Storage::kFixed : Storage::kNone;  // several: only parts of it are in memory
}

std::string last_part(const std::string& name) {
  const std::size_t colon = name.rfind("::");
  return colon == std::string::npos ? name : name.substr(colon + 2);
}

}  // namespace

// The position of the walk through a unit.
struct DebugFile::Walk {
  std::string prefix;  // "ns::" or "f()::"
  bool in_function = false;
  Dwarf_Addr bias = 0;
};

DebugFile::DebugFile(const std::string& path) {
  dwfl_ = dwfl_begin(&kCallbacks);
  if (dwfl_ == nullptr) return;
  dwfl_report_begin(dwfl_);
  module_ = dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), -1, 0, true);
  dwfl_report_end(dwfl_, nullptr, nullptr);
  GElf_Addr bias = 0;
  Elf* elf = module_ == nullptr ? nullptr : dwfl_module_getelf(module_, &bias);
  std::size_t count = 0;
  if (elf == nullptr || elf_getphdrnum(elf, &count) != 0) return;
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) == nullptr || header.p_type != PT_LOAD)
      continue;
    segments_.push_back({header.p_vaddr, header.p_vaddr + header.p_memsz});
  }
}

DebugFile::~DebugFile() {
  if (dwfl_ != nullptr) dwfl_end(dwfl_);
}

bool DebugFile::contains(std::uint64_t address) const {
  return std::any_of(segments_.begin(), segments_.end(), [&](const Segment& segment) {
    return address >= segment.begin && address < segment.end;
  });
}

std::vector<Dwarf_Die> DebugFile::functions_at(std::uint64_t address) {
  std::vector<Dwarf_Die> chain;
  Dwarf_Addr bias = 0;
  Dwarf_Die* unit = module_ == nullptr ? nullptr : index_.unit_at(module_, address, &bias);
  if (unit == nullptr) return chain;
  const Dwarf_Die* function = index_.function_at(unit, address - bias);
  if (function == nullptr) return chain;
  chain.push_back(*function);
  add_inlined(*function, address - bias, chain);
  std::reverse(chain.begin(), chain.end());
  return chain;
}

void DebugFile::index_globals() {
  is_indexed_ = true;
  if (module_ == nullptr) return;
  Walk walk;
  for (Dwarf_Die* unit = nullptr;
       (unit = dwfl_module_nextcu(module_, unit, &walk.bias)) != nullptr;) {
    index_variables(*unit, walk);
  }
  index_symbols();
  // Of two at the same place, the one with a type is better; what overlaps an earlier one is
  // dropped.
  std::stable_sort(globals_.begin(), globals_.end(), [](const Global& a, const Global& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.type.has_value() && !b.type.has_value();
  });
  std::uint64_t end = 0;
  std::erase_if(globals_, [&](const Global& global) {
    const bool overlaps = global.begin < end;
    if (!overlaps) end = global.begin + global.size;
    return overlaps;
  });
}

void DebugFile::index_variables(Dwarf_Die parent, const Walk& walk) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    switch (dwarf_tag(&child)) {
      case DW_TAG_variable:
        index_variable(&child, walk);
        break;
      case DW_TAG_namespace: {
        const char* name =
            dwarf_diename(&child);  // no name: anonymous, so it cannot appear in an expression
        index_variables(child, {name == nullptr ? walk.prefix : walk.prefix + name + "::",
                                walk.in_function, walk.bias});
        break;
      }
      case DW_TAG_subprogram:
        // Makes the name only if something was found: most functions have no variables of that
        // kind.
        index_variables(child, {"", true, walk.bias});
        break;
      case DW_TAG_class_type:
      case DW_TAG_structure_type:
        if (!walk.in_function) break;  // functions have their entries elsewhere, but not lambdas
        [[fallthrough]];
      case DW_TAG_lexical_block:
        index_variables(child, walk);
        break;
      default:
        break;
    }
  } while (dwarf_siblingof(&child, &child) == 0);
}

void DebugFile::index_variable(Dwarf_Die* die, const Walk& walk) {
  Dwarf_Addr address = 0;
  const Storage storage = storage_of(die, &address);
  if (storage == Storage::kNone) return;
  const char* name = dwarf_diename(die);
  if (name == nullptr) return;
  if (storage == Storage::kThreadLocal) {
    thread_locals_.emplace_back(name);
    return;
  }
  const auto type = type_of(die);
  const std::uint64_t size = type ? size_of(*type) : 0;
  if (size == 0) return;
  Dwarf_Attribute attribute;
  Global global{address + walk.bias, size, walk.prefix + name, type};
  if (walk.in_function || dwarf_attr(die, DW_AT_specification, &attribute) != nullptr) {
    global.unnamed = *die;
    global.name = name;
  }
  globals_.push_back(std::move(global));
}

// For code without debug information, and for variables that compilers have split.
void DebugFile::index_symbols() {
  const int count = dwfl_module_getsymtab(module_);
  for (int i = 1; i < count; ++i) {
    GElf_Sym symbol;
    GElf_Addr address = 0;
    const char* name =
        dwfl_module_getsym_info(module_, i, &symbol, &address, nullptr, nullptr, nullptr);
    if (name == nullptr || GELF_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_size == 0 ||
        symbol.st_shndx == SHN_UNDEF) {
      continue;
    }
    globals_.push_back({address, symbol.st_size, readable_symbol(name), std::nullopt});
  }
}

const DebugFile::Global* DebugFile::named(Global* global) {
  if (global->unnamed) {
    global->name = variable_name(&*global->unnamed);
    global->unnamed.reset();
  }
  return global;
}

const DebugFile::Global* DebugFile::global_at(std::uint64_t address) {
  if (!is_indexed_) index_globals();
  const auto next =
      std::upper_bound(globals_.begin(), globals_.end(), address,
                       [](std::uint64_t a, const Global& global) { return a < global.begin; });
  if (next == globals_.begin()) return nullptr;
  Global& global = *std::prev(next);
  return address - global.begin < global.size ? named(&global) : nullptr;
}

const DebugFile::Global* DebugFile::global_named(const std::string& name) {
  if (!is_indexed_) index_globals();
  const std::string last = last_part(name);
  const Global* found = nullptr;
  int count = 0;
  for (Global& global : globals_) {
    if (last_part(global.name) != last) continue;
    if (named(&global)->name == name) return &global;
    if (last != name) continue;
    found = &global;
    ++count;
  }
  return count == 1 ? found : nullptr;
}

void DebugFile::index_classes(Dwarf_Die parent, const std::string& prefix) {
  Dwarf_Die child;
  if (dwarf_child(&parent, &child) != 0) return;
  do {
    const bool is_namespace = dwarf_tag(&child) == DW_TAG_namespace;
    if (!is_namespace && !is_class(child)) continue;
    const char* name = dwarf_diename(&child);
    if (name == nullptr) {
      if (is_namespace) index_classes(child, prefix);
      continue;
    }
    if (is_class(child) && dwarf_hasattr(&child, DW_AT_declaration) == 0) {
      classes_.try_emplace(prefix + name, child);
    }
    index_classes(child, prefix + short_function_name(name) + "::");
  } while (dwarf_siblingof(&child, &child) == 0);
}

Dwarf_Die DebugFile::definition_of(Dwarf_Die type) {
  if (!is_class(type) || dwarf_hasattr(&type, DW_AT_declaration) == 0) return type;
  if (!has_classes_) {
    has_classes_ = true;
    Dwarf_Addr bias = 0;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, &bias)) != nullptr;) {
      index_classes(*unit, "");
    }
  }
  const auto found = classes_.find(full_type_name(type));
  return found == classes_.end() ? type : found->second;
}

bool DebugFile::has_thread_local(const std::string& name) {
  if (!is_indexed_) index_globals();
  return std::find(thread_locals_.begin(), thread_locals_.end(), name) != thread_locals_.end();
}

}  // namespace snag::binary
