// Short names for the memory and the locks of a run: the global variable's own name, else what the
// source calls it, else a letter. Letters are also used where the source's names would mislead: one
// name for two objects, or two names for one ("A (from.mutex)").
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "tool/binary/symbolizer.h"
#include "tool/binary/variables/variables.h"
#include "tool/report/view/frame_view.h"
#include "tool/session/failed_run.h"

namespace snag::report {

class ObjectNames {
 public:
  ObjectNames(binary::Symbolizer& symbolizer, const binary::ModuleMap& modules, SourceText& source)
      : modules_(modules), variables_(symbolizer, [&source](const std::string& path, int line) {
          return source.whole_line(path, line);
        }) {}

  // A place in the source calls the object so (empty: unknown). Add all places before asking for
  // the first name.
  void add(std::uint64_t object, const std::string& expression);

  // The object's own name, which takes precedence over the names at places.
  void add_known(std::uint64_t object, const std::string& name);

  // What to call it where the source says `expression`.
  std::string name(std::uint64_t object, const std::string& expression = "");

  // The full names of variables, for headlines.
  binary::Variables& variables() { return variables_; }

 private:
  // The global variable there; empty: there is none.
  std::string global_at(std::uint64_t object);
  std::string letter(std::uint64_t object);

  const binary::ModuleMap& modules_;
  binary::Variables variables_;
  std::map<std::uint64_t, std::string> globals_, known_;
  std::map<std::uint64_t, std::set<std::string>> expressions_;
  std::map<std::string, std::set<std::uint64_t>> objects_;
  std::map<std::uint64_t, std::size_t> letters_;
};

}  // namespace snag::report
