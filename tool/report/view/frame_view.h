// A place in the source as reports show it, and the source itself.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tool/binary/source_lines.h"
#include "tool/binary/symbolizer.h"

namespace snag::report {

struct FrameView {
  std::string function;
  std::string file;  // base name; empty: not known
  int line = 0;
  std::string source;  // the text of that line, if the file is there

  // "queue.cc:41 in Queue::pop"
  std::string text() const;
  // "queue.cc:41" or, without debug information, the function.
  std::string place() const;
};

// Lines of source files for reports.
class SourceText {
 public:
  // Without leading and trailing blanks; empty if there is no such line.
  std::string line(const std::string& path, int line);
  // As it is in the file.
  std::string whole_line(const std::string& path, int line) { return lines_.line(path, line); }

 private:
  binary::SourceLines lines_;
};

FrameView frame_view(const binary::Frame& frame, SourceText& source);

// The user's frames of a stack of return addresses, inlined functions included; all frames if none
// is the user's.
std::vector<FrameView> stack_view(const binary::ModuleMap& modules,
                                  std::span<const std::uint64_t> stack,
                                  binary::Symbolizer& symbolizer, SourceText& source);

}  // namespace snag::report
