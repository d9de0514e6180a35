// The output formats of a report. To add one, write a file in this folder that defines its writer,
// and add a row to SNAG_REPORT_FORMATS: `--format` and its help come from the table.
#pragma once

#include <string>
#include <string_view>

#include "tool/report/view/report.h"

// X(name, writer)
#define SNAG_REPORT_FORMATS(X) \
  X(text, write_text)          \
  X(json, write_json)

namespace snag::report {

// Returns the whole output, ended by a newline. Formats for machines ignore the style.
#define SNAG_DECLARE_WRITER(name, writer) std::string writer(const Report&, const TextStyle&);
SNAG_REPORT_FORMATS(SNAG_DECLARE_WRITER)
#undef SNAG_DECLARE_WRITER

struct Format {
  const char* name;
  std::string (*write)(const Report&, const TextStyle&);

  bool is_text() const { return write == write_text; }
};

#define SNAG_FORMAT_ROW(name, writer) {#name, writer},
inline constexpr Format kFormats[] = {SNAG_REPORT_FORMATS(SNAG_FORMAT_ROW)};
#undef SNAG_FORMAT_ROW

// " text json", for help and messages.
#define SNAG_FORMAT_NAME(name, writer) " " #name
inline constexpr const char* kFormatNames = SNAG_REPORT_FORMATS(SNAG_FORMAT_NAME);

// nullptr if there is no such format.
const Format* find_format(std::string_view name);

}  // namespace snag::report
