// Names for the memory and the locks of a run: the global variable's own name, else what the source
// calls it, else a letter. Letters are also used where the source's names would mislead: one name
// for two objects, or two names for one ("A (from.mutex)").
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "engine/failure.h"
#include "engine/symbolizer.h"

namespace snag::report {

class ObjectNames {
 public:
  ObjectNames(engine::Symbolizer& symbolizer, const engine::ModuleMap& modules)
      : symbolizer_(&symbolizer), modules_(&modules) {}

  // Some place calls the object so (empty: no idea). All places come before the first name is asked
  // for.
  void add(std::uint64_t object, const std::string& expression);

  // What to call it where the source says `expression`.
  std::string name(std::uint64_t object, const std::string& expression = "");

 private:
  // The one place where names of variables come from.
  std::string variable_at(std::uint64_t object);
  std::string letter(std::uint64_t object);

  engine::Symbolizer* symbolizer_;
  const engine::ModuleMap* modules_;
  std::map<std::uint64_t, std::string> variables_;
  std::map<std::uint64_t, std::set<std::string>> expressions_;
  std::map<std::string, std::set<std::uint64_t>> objects_;
  std::map<std::uint64_t, std::size_t> letters_;
};

}  // namespace snag::report
