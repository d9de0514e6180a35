// What another tool has reported: races and lock orders by ThreadSanitizer (gcc's and clang's),
// Helgrind and DRD, read from their text.
//
// The text may be anything: mixed with the program's own output, cut, of several processes, with
// prefixes of whoever collected it. Time is linear in its length, and memory is bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/candidates/memory_part.h"
#include "tool/base/error.h"

namespace snag::active {

struct ReportFrame {
  std::string function;
  std::string file;  // as the tool gives it: with the whole path, or without any
  int line = 0;
  int column = 0;  // 0: not given
};

enum class ReportAccess { kUnknown, kRead, kWrite };

// One of the two accesses, or where a thread takes the lock that it has to wait for.
struct ReportSide {
  ReportAccess access = ReportAccess::kUnknown;
  bool is_free = false;    // the memory was given back
  std::uint32_t size = 0;  // 0: not given
  std::uint64_t code = 0;  // address of the instruction in the program that was reported
  std::vector<ReportFrame>
      frames;  // innermost first; those that the tool has no line of are not here
};

struct ReportEntry {
  Kind kind = Kind::kRace;  // or kDeadlock
  std::uint64_t line = 0;   // of the text, where it begins for the first time
  std::uint64_t times = 1;  // that the same was reported
  // Only those that have frames: DRD, for one, tells only one of the two.
  std::vector<ReportSide> sides;
  MemoryPart memory;  // kRace: what the tool tells of it
};

struct ToolReport {
  std::vector<ReportEntry> entries;  // each once
  std::uint64_t races = 0;           // in the text, repeated ones too
  std::uint64_t lock_orders = 0;
  std::uint64_t left_out = 0;  // that were too many
  bool is_report = false;      // something of one of the tools was there
  bool is_xml = false;         // of valgrind, which is not read
  bool is_empty = true;        // there was no text at all
};

class ToolReportReader {
 public:
  ToolReportReader();
  ~ToolReportReader();
  ToolReportReader(const ToolReportReader&) = delete;
  ToolReportReader& operator=(const ToolReportReader&) = delete;

  // The next part of the text, of any length.
  void read(std::string_view text);
  ToolReport finish();

 private:
  class Parts;
  void line(std::string_view text);

  Parts* parts_;
  std::string open_;     // line that is not complete
  bool is_cut_ = false;  // the rest of it is left out
};

// Of a file, or of standard input for "-". It is an error if there is nothing to go after in it.
Expected<ToolReport> read_tool_report(const std::string& path);

}  // namespace snag::active
