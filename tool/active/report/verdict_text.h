// The report of `snag active`.
#pragma once

#include <string>

#include "tool/active/session/active_result.h"
#include "tool/base/terminal.h"
#include "tool/binary/symbolizer.h"
#include "tool/report/view/report.h"

namespace snag::active {

struct TextOptions {
  bool show_output = false;  // show all of the program's output that was kept
  bool show_all = false;     // also show candidates that were not confirmed
};
std::string result_text(const ActiveResult& result, binary::Symbolizer& symbolizer,
                        const Painter& painter, const TextOptions& options);

// The result for the output formats. `result` and `symbolizer` must outlive it.
class ActiveReport : public report::Report {
 public:
  ActiveReport(const ActiveResult& result, binary::Symbolizer& symbolizer, bool show_all);
  std::uint64_t seed = 0;

  std::string text(const report::TextStyle& style) const override;
  report::Json fields() const override;

 private:
  const ActiveResult& result_;
  binary::Symbolizer& symbolizer_;
  bool show_all_;
};

}  // namespace snag::active
