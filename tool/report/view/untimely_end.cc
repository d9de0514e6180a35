#include "tool/report/view/untimely_end.h"

#include <fmt/format.h>

#include "tool/report/view/relevance.h"
#include "tool/report/view/step_places.h"

namespace snag::report {
namespace {

using session::FailedRun;

std::optional<Untimely> untimely(const Step& step) {
  if ((step.flags & kEarlyEnd) != 0) return Untimely::kEarly;
  if ((step.flags & kLateEnd) != 0) return Untimely::kLate;
  if ((step.flags & kOvertakingEnd) != 0) return Untimely::kOvertaking;
  return std::nullopt;
}

const char* how_text(Untimely how) {
  switch (how) {
    case Untimely::kEarly:
      return "ends early, although other threads could go on or had earlier deadlines";
    case Untimely::kLate:
      return "ends late, after a later deadline of another thread";
    case Untimely::kOvertaking:
      break;
  }
  return "ends in time, but other threads that could go on before it are late";
}

}  // namespace

std::string UntimelyEndView::text() const {
  const bool is_known = !place.file.empty() || !place.function.empty();
  const std::string at = is_known ? " at " + place.place() : "";
  const std::string others =
      count == 1 ? "" : fmt::format(" (one of {} sleeps and timeouts that do)", count);
  return fmt::format("in this schedule the {} of T{}{} {}{}: --timeouts exact rules that out",
                     is_sleep ? "sleep" : "timeout", thread, at, how_text(how), others);
}

std::optional<UntimelyEndView> untimely_end_of(const FailedRun& run, binary::Symbolizer& symbolizer,
                                               SourceText& source, ObjectNames& objects) {
  std::optional<std::size_t> first, last_concerned;
  std::uint64_t counts[3] = {};
  for (std::size_t i = 0; i < run.steps.size(); ++i) {
    const std::optional<Untimely> how = untimely(run.steps[i]);
    if (!how) continue;
    ++counts[static_cast<std::size_t>(*how)];
    if (!first) first = i;
    if (is_concerned(run, run.steps[i].thread)) last_concerned = i;
  }
  if (!first) return std::nullopt;
  const std::size_t told = last_concerned.value_or(*first);
  const Step& step = run.steps[told];
  const Untimely how = *untimely(step);
  return UntimelyEndView{how, step.thread, step.kind == OpKind::kSleep,
                         Places(run, symbolizer, source, objects).of_step(told).view,
                         counts[static_cast<std::size_t>(how)]};
}

}  // namespace snag::report
