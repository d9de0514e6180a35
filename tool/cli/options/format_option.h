// The options `--json` and `--format`, for commands that print a report
// (tool/report/formats/format.h).
#pragma once

#include <fmt/format.h>

#include "tool/cli/options/option_table.h"
#include "tool/report/formats/format.h"

namespace snag::cli {

inline constexpr const char* kFormatHelp =
    "print the result in this format, one of:" SNAG_REPORT_FORMATS(
        SNAG_FORMAT_NAME) "; default text";

template <auto Member, class Settings>
Expected<void> set_format(Settings& settings, const std::string& text) {
  const report::Format* format = report::find_format(text);
  if (format == nullptr)
    return usage_error(fmt::format("must be one of{}, not '{}'", report::kFormatNames, text));
  settings.*Member = format;
  return {};
}

template <auto Member, class Settings>
Expected<void> set_json(Settings& settings, const std::string&) {
  settings.*Member = report::find_format("json");
  return {};
}

}  // namespace snag::cli
