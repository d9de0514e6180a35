// Implements tool/coverage/report/report_text.h: the report as annotated sources.
#include <fmt/format.h>

#include <vector>

#include "tool/binary/source_lines.h"
#include "tool/coverage/report/report_text.h"

namespace snag::coverage {
namespace {

struct LinePairs {
  std::uint64_t covered = 0, target = 0;
  std::vector<std::uint32_t> missing;
};

LinePairs pairs_of(const LineScore& line, const ReportInput& input) {
  LinePairs result;
  for (const std::uint32_t index : line.pairs) {
    const bool is_covered = input.data.pairs()[index].is_covered();
    if (!is_covered && input.pruned.is_pruned(index)) continue;
    ++result.target;
    result.covered += is_covered ? 1 : 0;
    if (!is_covered) result.missing.push_back(index);
  }
  return result;
}

// "then write at q.h:52 in Queue::push(), on Queue::count_"
std::string missing_text(const Pair& pair, const ReportInput& input) {
  std::string text =
      fmt::format("not yet: {} at {}, then {} at {}", input.wording.action(pair, true),
                  input.wording.place(pair.first), input.wording.action(pair, false),
                  input.wording.location(pair.second));
  if (pair.variable != 0) text += ", on " + input.data.text(pair.variable);
  return text;
}

}  // namespace

std::string annotated_text(const ReportInput& input) {
  std::string text =
      "x: an access or the entry of a function in the line was executed, -: none was; then the "
      "location pairs that begin in the line: covered of those that could be\n";
  binary::SourceLines source;
  for (const FileScore& file : input.totals.files) {
    if (file.is_library || file.path.empty() || file.lines.empty()) continue;
    text += fmt::format("\n{}\n", file.path);
    if (source.count(file.path) == 0) {
      text += "  (the source cannot be read)\n";
      continue;
    }
    const int last = source.count(file.path);
    for (int number = 1; number <= last; ++number) {
      const auto found = file.lines.find(number);
      std::string margin;
      LinePairs pairs;
      if (found != file.lines.end()) {
        pairs = pairs_of(found->second, input);
        margin.push_back(found->second.is_executed ? 'x' : '-');
        if (pairs.target > 0) margin += fmt::format(" {}/{}", pairs.covered, pairs.target);
      }
      std::string line =
          fmt::format("{:<9} {:>5} | {}", margin, number, source.line(file.path, number));
      line.erase(line.find_last_not_of(" \t\r") + 1);
      text += line + "\n";
      for (const std::uint32_t index : pairs.missing)
        text += fmt::format("{:<15} ! {}\n", "", missing_text(input.data.pairs()[index], input));
    }
  }
  return text;
}

}  // namespace snag::coverage
