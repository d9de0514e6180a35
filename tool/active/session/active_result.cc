#include "tool/active/session/active_result.h"

#include <algorithm>

namespace snag::active {

std::string_view name_of(Verdict::End end) {
  switch (end) {
    case Verdict::End::kConfirmed:
      return "confirmed";
    case Verdict::End::kHappened:
      return "happened";
    case Verdict::End::kNotReproduced:
      return "not reproduced";
    case Verdict::End::kNotTried:
      return "not tried";
    case Verdict::End::kSuppressed:
      return "suppressed";
  }
  return "";
}

bool ReportResult::is_of_program() const {
  return std::any_of(entries.begin(), entries.end(),
                     [](const EntryResult& entry) { return !entry.verdicts.empty(); });
}

std::size_t count_of(const ActiveResult& result, Verdict::End end) {
  return static_cast<std::size_t>(
      std::count_if(result.verdicts.begin(), result.verdicts.end(),
                    [end](const Verdict& verdict) { return verdict.end == end; }));
}

}  // namespace snag::active
