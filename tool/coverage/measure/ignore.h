// --ignore: accesses that do not count, by where they are made.
//
//   size   Queue::size   *::size     a function (and what was inlined into it); `*` is any text
//   q.h    src/q.h                   a file
//   q.h:31                           a line
//   assert                           all within the brackets of a call of assert
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/base/error.h"
#include "tool/binary/source_lines.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/measure/cover_places.h"

namespace snag::coverage {

class Ignored {
 public:
  Ignored(const CoverData& data, Places& places, const std::set<std::string>& patterns)
      : data_(data), places_(places), patterns_(patterns) {}

  // The matching instructions of the program's own file, which is module 0. An error if a pattern
  // matches nothing there, or if there are too many.
  Expected<std::vector<ModulePc>> find(const std::string& path);

 private:
  bool fits(const std::string& pattern, const Place& place);
  bool is_in_assertion(const Place& place);

  const CoverData& data_;
  Places& places_;
  const std::set<std::string>& patterns_;
  binary::SourceLines source_;
  std::map<TextId, std::vector<bool>> assertions_;  // by file: for each line
};

// Which lines, counted from 1, are within a call of assert.
std::vector<bool> lines_in_assertions(const std::vector<std::string>& lines);

}  // namespace snag::coverage
