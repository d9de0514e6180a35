// Any text of another tool: what is read does not depend on the pieces that it comes in, is never
// more than the text has, and holds what others rely on.
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/fuzz/require.h"
#include "tool/active/tool_reports/tool_report.h"

namespace {

using namespace snag::active;

std::string format(const ToolReport& report) {
  std::string text = std::to_string(report.races) + " " + std::to_string(report.lock_orders) + "\n";
  for (const ReportEntry& entry : report.entries) {
    text += std::to_string(entry.line) + " " + std::to_string(entry.times) + "\n";
    for (const ReportSide& side : entry.sides) {
      for (const ReportFrame& frame : side.frames)
        text += frame.function + "|" + frame.file + ":" + std::to_string(frame.line) + "\n";
    }
  }
  return text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ToolReportReader at_once;
  at_once.read(text);
  const ToolReport report = at_once.finish();
  std::uint64_t times = report.left_out;
  for (const ReportEntry& entry : report.entries) {
    times += entry.times;
    REQUIRE(entry.kind == Kind::kRace || entry.kind == Kind::kDeadlock);
    REQUIRE(entry.line > 0);
    REQUIRE(entry.sides.size() <= snag::kMaxDirectedSides);
    for (const ReportSide& side : entry.sides) {
      REQUIRE(!side.frames.empty());
      for (const ReportFrame& frame : side.frames) REQUIRE(frame.line > 0 && !frame.file.empty());
    }
  }
  REQUIRE(times == report.races + report.lock_orders);
  ToolReportReader in_pieces;
  const std::size_t piece = 1 + size % 7;
  for (std::size_t i = 0; i < size; i += piece) in_pieces.read(text.substr(i, piece));
  REQUIRE(format(in_pieces.finish()) == format(report));
  return 0;
}
