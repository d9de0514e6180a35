// Implements tool/coverage/report/report_text.h: the report as lcov.
#include <fmt/format.h>

#include <map>
#include <string>

#include "tool/coverage/report/report_text.h"

namespace snag::coverage {

std::string report_lcov(const ReportInput& input) {
  std::string text;
  const auto add = [&](std::string_view line) {
    text += line;
    text += '\n';
  };
  for (const FileScore& file : input.totals.files) {
    if (file.path.empty() || file.is_library) continue;
    add("TN:");
    add(fmt::format("SF:{}", file.path));
    // lcov knows functions by their names alone.
    std::map<std::string, int> overloads;
    for (const FunctionScore& function : file.function_list) ++overloads[function.name];
    const auto name_of = [&](const FunctionScore& function) {
      return overloads[function.name] == 1 ? function.name
                                           : fmt::format("{}:{}", function.name, function.line);
    };
    for (const FunctionScore& function : file.function_list)
      add(fmt::format("FN:{},{}", function.line, name_of(function)));
    for (const FunctionScore& function : file.function_list)
      add(fmt::format("FNDA:{},{}", function.is_executed ? 1 : 0, name_of(function)));
    add(fmt::format("FNF:{}", file.functions.target));
    add(fmt::format("FNH:{}", file.functions.covered));
    std::uint64_t branches = 0, taken = 0;
    for (const auto& [number, line] : file.lines) {
      int branch = 0;
      for (const std::uint32_t index : line.pairs) {
        const bool is_covered = input.data.pairs()[index].is_covered();
        if (!is_covered && input.pruned.is_pruned(index)) continue;
        add(fmt::format("BRDA:{},0,{},{}", number, branch++, is_covered ? "1" : "0"));
        ++branches;
        taken += is_covered ? 1 : 0;
      }
    }
    add(fmt::format("BRF:{}", branches));
    add(fmt::format("BRH:{}", taken));
    for (const auto& [number, line] : file.lines)
      add(fmt::format("DA:{},{}", number, line.is_executed ? 1 : 0));
    const Score& lines = file.scores[static_cast<std::size_t>(Metric::kLines)];
    add(fmt::format("LF:{}", lines.target));
    add(fmt::format("LH:{}", lines.covered));
    add("end_of_record");
  }
  return text;
}

}  // namespace snag::coverage
