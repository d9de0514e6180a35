// The report of `snag active`.
#pragma once

#include <string>
#include <string_view>

#include "tool/active/session/active_session.h"
#include "tool/base/terminal.h"
#include "tool/binary/symbolizer.h"
#include "tool/report/view/report.h"

namespace snag::active {

struct TextOptions {
  bool show_output = false;  // all of the program's output that was kept
  bool show_all = false;     // also what was predicted and not confirmed
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

std::string_view name_of(Verdict::End end);

// How many there are with this end.
std::size_t count_of(const ActiveResult& result, Verdict::End end);

}  // namespace snag::active
