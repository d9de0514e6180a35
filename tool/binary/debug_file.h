// The debug information and symbols of one file, at the addresses that the file itself gives: for
// code that needs DWARF entries rather than source positions (tool/binary/symbolizer.h).
#pragma once

#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "tool/binary/function_index.h"

namespace snag::binary {

class DebugFile {
 public:
  explicit DebugFile(const std::string& path);
  ~DebugFile();
  DebugFile(const DebugFile&) = delete;
  DebugFile& operator=(const DebugFile&) = delete;

  // Whether the file, when it is loaded, has something at this address.
  bool contains(std::uint64_t address) const;

  // The function at an address and what was inlined there, innermost first: one entry for each of
  // Symbolizer's frames. Empty without debug information.
  std::vector<Dwarf_Die> functions_at(std::uint64_t address);

  // A variable with a fixed address.
  struct Global {
    std::uint64_t begin = 0, size = 0;
    std::string name;               // qualified; of a function's static: "f()::table"
    std::optional<Dwarf_Die> type;  // nothing: from the symbol table
    // The entry that completes its name. Finding a function takes long, so this happens on demand;
    // until then `name` is unqualified.
    std::optional<Dwarf_Die> unnamed = std::nullopt;
  };
  // The variable that contains the address; nullptr if there is none. The first call reads all
  // variables of the file.
  const Global* global_at(std::uint64_t address);
  // By its qualified name, or by the last part of it if that is unique.
  const Global* global_named(const std::string& name);
  // The definition of a class that is only declared where it is used: clang describes a class where
  // its constructor is. The type itself if it is complete, or if there is no definition.
  Dwarf_Die definition_of(Dwarf_Die type);
  // Whether there is a thread-local variable of this unqualified name.
  bool has_thread_local(const std::string& name);

 private:
  struct Segment {
    std::uint64_t begin, end;
  };
  struct Walk;
  void index_globals();
  void index_variables(Dwarf_Die parent, const Walk& walk);
  void index_variable(Dwarf_Die* die, const Walk& walk);
  void index_symbols();
  static const Global* named(Global* global);
  void index_classes(Dwarf_Die parent, const std::string& prefix);

  Dwfl* dwfl_ = nullptr;
  Dwfl_Module* module_ = nullptr;
  FunctionIndex index_;
  std::vector<Segment> segments_;
  bool is_indexed_ = false;
  std::vector<Global> globals_;  // sorted by address, none within another
  std::vector<std::string> thread_locals_;
  bool has_classes_ = false;
  std::unordered_map<std::string, Dwarf_Die> classes_;  // definitions by qualified name
};

}  // namespace snag::binary
