// From program counters to source positions, with the chain of inlined functions.
//
// Uses the DWARF of the files that were mapped (g++ and clang, versions 4 and 5, with or without
// .debug_aranges); without debug information it falls back to the symbol table. Answers are cached:
// a run has few distinct program counters, a failing schedule asks for each of them many times.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "tool/binary/module_map.h"

namespace snag::binary {

struct Frame {
  std::string function;  // demangled, without parameters and template arguments; empty: not known
  std::string file;      // as the compiler recorded it; empty: no debug information
  int line = 0;
  int column = 0;
  int function_line = 0;  // where the function is declared; 0: not known
};

// Innermost first: inlined functions, then the one that they were inlined into.
using Frames = std::vector<Frame>;

class Symbolizer {
 public:
  Symbolizer();
  ~Symbolizer();
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;

  // `return_address` is what a call pushed: the instruction before it is looked up. Never empty,
  // unless the address is in no module.
  const Frames& lookup(const ModuleMap& modules, std::uint64_t return_address);

  // The same for position-independent return addresses. Empty if there is no such module.
  const Frames& lookup_code(const ModuleMap& modules, ModulePc return_address);

  // The same for an offset from the load bias of a file, exact address.
  const Frames& lookup_file(const std::string& path, std::uint64_t offset);

 private:
  class ModuleDebug;
  ModuleDebug& module_debug(const std::string& path);

  std::map<std::string, std::unique_ptr<ModuleDebug>> modules_;
  std::map<std::string, std::unordered_map<std::uint64_t, Frames>> cache_;
};

// Whether the frame is the user's own code: not of the standard library and not of Snag's runtime.
bool is_user_frame(const Frame& frame);

// The innermost frame that is the user's own; the innermost of all when there is none. nullptr if
// empty.
const Frame* display_frame(const Frames& frames);

}  // namespace snag::binary
