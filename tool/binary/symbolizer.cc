#include "tool/binary/symbolizer.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <filesystem>

#include "tool/base/text.h"
#include "tool/binary/dwarf_function.h"
#include "tool/binary/function_index.h"
#include "tool/binary/function_name.h"

namespace snag::binary {
namespace {

// clang writes some names as they were given: these are relative to the folder of the compilation.
std::string absolute_file(Dwarf_Die* unit, const char* name) {
  if (name == nullptr) return "";
  const std::string file = name;
  if (file.empty() || file.starts_with('/')) return file;
  Dwarf_Attribute attribute;
  const char* folder = dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
  if (folder == nullptr || *folder != '/') return file;
  return (std::filesystem::path(folder) / file).lexically_normal().string();
}

std::string call_file(Dwarf_Die* unit, Dwarf_Die* inlined) {
  Dwarf_Files* files = nullptr;
  std::size_t count = 0;
  const int index = unsigned_attribute(inlined, DW_AT_call_file);
  if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index < 0 ||
      static_cast<std::size_t>(index) >= count) {
    return "";
  }
  return absolute_file(unit,
                       dwarf_filesrc(files, static_cast<std::size_t>(index), nullptr, nullptr));
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
      if (Dwarf_Die* unit = index_.unit_at(module_, address, &bias))
        frames = from_dwarf(unit, address - bias);
    }
    if (frames.empty()) frames.push_back(from_symbols(address));
    return frames;
  }

 private:
  Frames from_dwarf(Dwarf_Die* unit, Dwarf_Addr address) {
    Frame frame;
    if (Dwarf_Line* line = dwarf_getsrc_die(unit, address)) {
      frame.file = absolute_file(unit, dwarf_linesrc(line, nullptr, nullptr));
      dwarf_lineno(line, &frame.line);
      dwarf_linecol(line, &frame.column);
    }
    // Outermost first: the function, then the one inlined into it, and so on.
    std::vector<Dwarf_Die> chain;
    if (const Dwarf_Die* function = index_.function_at(unit, address)) {
      chain.push_back(*function);
      add_inlined(*function, address, chain);
    }
    Frames frames;
    for (auto die = chain.rbegin(); die != chain.rend(); ++die) {
      const FunctionNames::Function& function = names_.at(&*die);
      frame.function = function.name;
      frame.function_line = function.line;
      frames.push_back(frame);
      if (dwarf_tag(&*die) == DW_TAG_subprogram) break;
      frame.file = call_file(unit, &*die);
      frame.line = unsigned_attribute(&*die, DW_AT_call_line);
      frame.column = unsigned_attribute(&*die, DW_AT_call_column);
    }
    return frames;
  }

  static void add_inlined(Dwarf_Die parent, Dwarf_Addr address, std::vector<Dwarf_Die>& chain) {
    Dwarf_Die child;
    if (dwarf_child(&parent, &child) != 0) return;
    do {
      const int tag = dwarf_tag(&child);
      if (tag != DW_TAG_inlined_subroutine && tag != DW_TAG_lexical_block) continue;
      if (dwarf_haspc(&child, address) != 1) continue;
      if (tag == DW_TAG_inlined_subroutine) chain.push_back(child);
      add_inlined(child, address, chain);
      return;
    } while (dwarf_siblingof(&child, &child) == 0);
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
  FunctionIndex index_;
  FunctionNames names_;
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

const Frames& Symbolizer::lookup_code(const ModuleMap& modules, ModulePc return_address) {
  static const Frames kNowhere;
  const ModuleInfo* module = modules.module_at(return_address);
  return module == nullptr ? kNowhere
                           : lookup_file(module->path, snag::offset_of(return_address) - 1);
}

bool is_user_frame(const Frame& frame) {
  const auto contains = [&](const char* part) {
    return frame.file.find(part) != std::string::npos;
  };
  if (contains("/include/c++/") || contains("/bits/gthr") || contains("/lib/gcc/") ||
      contains("csu/libc-start.c") || contains("/include/snag/") ||
      frame.file.starts_with("/snag-sources/")) {
    return false;
  }
  if (frame.file.empty()) return false;
  const std::string& f = frame.function;
  for (const char* prefix :
       {"std::", "__gnu", "__gthread", "snag::rt::", "__tsan_", "__snag", "snag_call_guarded",
        "snag_gen::", "__cxa_", "__libc_", "__pthread_", "_GLOBAL__sub_"}) {
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

}  // namespace snag::binary
