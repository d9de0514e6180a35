#include "engine/symbolizer.h"

#include <cxxabi.h>
#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <cstdlib>

namespace snag::engine {
namespace {

std::string demangle(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                    std::free);
  return status == 0 ? text.get() : name;
}

std::string function_name(Dwarf_Die* die) {
  Dwarf_Attribute attribute;
  for (const unsigned which : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name}) {
    if (dwarf_attr_integrate(die, which, &attribute) != nullptr) {
      if (const char* name = dwarf_formstring(&attribute)) return short_function_name(demangle(name));
    }
  }
  // C functions and some lambdas have a plain name only.
  const char* name = dwarf_attr_integrate(die, DW_AT_name, &attribute) != nullptr
                         ? dwarf_formstring(&attribute)
                         : nullptr;
  return name != nullptr ? short_function_name(name) : "";
}

int unsigned_attribute(Dwarf_Die* die, unsigned which) {
  Dwarf_Attribute attribute;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, which, &attribute) == nullptr) return 0;
  return dwarf_formudata(&attribute, &value) == 0 ? static_cast<int>(value) : 0;
}

std::string call_file(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const int index = unsigned_attribute(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index < 0 ||
      static_cast<std::size_t>(index) >= count) {
    return "";
  }
  const char* name = dwarf_filesrc(files, static_cast<std::size_t>(index), nullptr, nullptr);
  return name != nullptr ? name : "";
}

}  // namespace

// The debug information of one file, mapped at its own addresses.
class Symbolizer::ModuleDebug {
 public:
  explicit ModuleDebug(const std::string& path) : path_(path) {
    dwfl_ = dwfl_begin(&kCallbacks);
    if (dwfl_ == nullptr) return;
    dwfl_report_begin(dwfl_);
    module_ = dwfl_report_elf(dwfl_, path.c_str(), path.c_str(), -1, 0, true);
    dwfl_report_end(dwfl_, nullptr, nullptr);
  }
  ~ModuleDebug() {
    if (dwfl_ != nullptr) dwfl_end(dwfl_);
  }
  ModuleDebug(const ModuleDebug&) = delete;
  ModuleDebug& operator=(const ModuleDebug&) = delete;

  Frames lookup(std::uint64_t address) {
    Frames frames;
    if (module_ != nullptr) {
      Dwarf_Addr bias = 0;
      if (Dwarf_Die* unit = find_unit(address, &bias)) frames = from_dwarf(unit, address - bias);
    }
    if (frames.empty()) frames.push_back(from_symbols(address));
    return frames;
  }

 private:
  // .debug_aranges answers at once; where they are missing (clang's default), all units are asked.
  Dwarf_Die* find_unit(std::uint64_t address, Dwarf_Addr* bias) {
    if (Dwarf_Die* unit = dwfl_module_addrdie(module_, address, bias)) return unit;
    for (Dwarf_Die* unit = nullptr; (unit = dwfl_module_nextcu(module_, unit, bias)) != nullptr;) {
      if (dwarf_haspc(unit, address - *bias) == 1) return unit;
    }
    return nullptr;
  }

  static Frames from_dwarf(Dwarf_Die* unit, Dwarf_Addr address) {
    Frame frame;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, address)) {
      const char* file = dwarf_linesrc(line, nullptr, nullptr);
      if (file != nullptr) frame.file = file;
      dwarf_lineno(line, &frame.line);
      dwarf_linecol(line, &frame.column);
    }
    Dwarf_Die* innermost = nullptr;
    if (dwarf_getscopes(unit, address, &innermost) <= 0) return {};
    // The scopes by address lead from an inlined body to where it was written; those of the entry itself lead
    // to where it was inlined.
    Dwarf_Die* scopes = nullptr;
    const int count = dwarf_getscopes_die(&innermost[0], &scopes);
    Frames frames;
    for (int i = 0; i < count; ++i) {
      const int tag = dwarf_tag(&scopes[i]);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_subprogram) continue;
      frame.function = function_name(&scopes[i]);
      frame.function_line = unsigned_attribute(&scopes[i], DW_AT_decl_line);
      frames.push_back(frame);
      if (tag == DW_TAG_subprogram) break;
      frame.file = call_file(unit, &scopes[i]);
      frame.line = unsigned_attribute(&scopes[i], DW_AT_call_line);
      frame.column = unsigned_attribute(&scopes[i], DW_AT_call_column);
    }
    std::free(scopes);
    std::free(innermost);
    return frames;
  }

  Frame from_symbols(std::uint64_t address) {
    Frame frame;
    GElf_Off offset = 0;
    GElf_Sym symbol;
    const char* name = module_ == nullptr ? nullptr
                                          : dwfl_module_addrinfo(module_, address, &offset, &symbol,
                                                                 nullptr, nullptr, nullptr);
    frame.function = name != nullptr
                         ? fmt::format("{}+{:#x}", short_function_name(demangle(name)), offset)
                         : fmt::format("{}+{:#x}", base_name(path_), address);
    return frame;
  }

  // Local files only: a lookup must never go to the network.
  static int find_debug_file(Dwfl_Module* module, void** data, const char* name, Dwarf_Addr base,
                             const char* file, const char* link, GElf_Word crc, char** result) {
    return dwfl_build_id_find_debuginfo(module, data, name, base, file, link, crc, result);
  }

  static constexpr Dwfl_Callbacks kCallbacks = {.find_elf = dwfl_build_id_find_elf,
                                                .find_debuginfo = find_debug_file,
                                                .section_address = dwfl_offline_section_address,
                                                .debuginfo_path = nullptr};

  std::string path_;
  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
};

Symbolizer::Symbolizer() = default;
Symbolizer::~Symbolizer() = default;

Symbolizer::ModuleDebug& Symbolizer::module_debug(const std::string& path) {
  std::unique_ptr<ModuleDebug>& debug = modules_[path];
  if (debug == nullptr) debug = std::make_unique<ModuleDebug>(path);
  return *debug;
}

const Frames& Symbolizer::lookup_file(const std::string& path, std::uint64_t offset) {
  auto [entry, is_new] = cache_[path].try_emplace(offset);
  if (is_new) entry->second = module_debug(path).lookup(offset);
  return entry->second;
}

const Frames& Symbolizer::lookup(const ModuleMap& modules, std::uint64_t return_address) {
  static const Frames kNowhere;
  for (const ModuleInfo& module : modules.modules()) {
    if (return_address > module.begin && return_address <= module.end) {
      return lookup_file(module.path, return_address - module.base - 1);
    }
  }
  return kNowhere;
}

bool is_user_frame(const Frame& frame) {
  const auto contains = [&](const char* part) { return frame.file.find(part) != std::string::npos; };
  if (contains("/include/c++/") || contains("/bits/gthr") || contains("/lib/gcc/")) return false;
  if (frame.file.empty()) return false;
  const std::string& f = frame.function;
  for (const char* prefix : {"std::", "__gnu", "__gthread", "snag::rt::", "__tsan_", "__snag", "__cxa_"}) {
    if (f.starts_with(prefix)) return false;
  }
  return true;
}

const Frame* display_frame(const Frames& frames) {
  for (const Frame& frame : frames) {
    if (is_user_frame(frame)) return &frame;
  }
  return frames.empty() ? nullptr : &frames.front();
}

std::string base_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace snag::engine
