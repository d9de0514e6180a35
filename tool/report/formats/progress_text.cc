#include "tool/report/formats/progress_text.h"

#include <fmt/format.h>

#include "tool/base/number_text.h"

namespace snag::report {

std::string progress_line(const explore::Totals& totals, std::uint64_t limit) {
  const double seconds = totals.elapsed.count();
  const auto rate =
      static_cast<unsigned long long>(seconds > 0 ? static_cast<double>(totals.runs) / seconds : 0);
  const std::string runs = limit > 0
                               ? fmt::format("{} of {} runs", grouped(totals.runs), grouped(limit))
                               : counted(totals.runs, "run", "runs");
  return fmt::format("{}, {} a second, {}", runs, grouped(rate),
                     counted(totals.failures, "failure", "failures"));
}

std::string shrink_line(const shrink::ShrinkProgress& shrink) {
  return fmt::format("shrinking: {} to {}, {}", grouped(shrink.from),
                     counted(shrink.to, "switch", "switches"),
                     counted(shrink.attempts, "attempt", "attempts"));
}

}  // namespace snag::report
