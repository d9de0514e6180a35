// Reads the text of another tool's report: races and lock orders of ThreadSanitizer (gcc's and
// clang's), Helgrind and DRD.
//
// The text may be anything: mixed with the program's own output, truncated, from several processes,
// or prefixed by a log collector. Time is linear in its length, and memory is bounded.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tool/active/tool_reports/report_entry.h"
#include "tool/base/error.h"

namespace snag::active {

struct ToolReport {
  std::vector<ReportEntry> entries;  // without duplicates
  std::uint64_t races = 0;           // in the text, including duplicates
  std::uint64_t lock_orders = 0;
  std::uint64_t left_out = 0;  // entries beyond the limit
  bool is_report = false;      // the text has output of one of the tools
  bool is_xml = false;         // valgrind's XML, which is not supported
  bool is_empty = true;        // the text is empty
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
  std::string open_;     // the line read so far
  bool is_cut_ = false;  // the line is too long: its rest is skipped
};

// Reads a file, or standard input for "-". A report without races and lock orders is an error.
Expected<ToolReport> read_tool_report(const std::string& path);

}  // namespace snag::active
