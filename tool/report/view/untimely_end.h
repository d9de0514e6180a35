// A sleep or a wait whose deadline mattered otherwise than in exact time: the failure may need it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tool/report/view/frame_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/failed_run.h"

namespace snag::report {

enum class Untimely : std::uint8_t {
  kEarly,       // it ended although other threads could go on, or had earlier deadlines
  kLate,        // a later deadline of another thread had passed first
  kOvertaking,  // other threads that could go on before it were late
};

struct UntimelyEndView {
  Untimely how = Untimely::kEarly;
  Tid thread = 0;
  bool is_sleep = false;
  FrameView place;
  std::uint64_t count = 1;  // of those in the schedule that ended in this way

  // One sentence, which says how to do without such schedules.
  std::string text() const;
};

// The one of the run that is worth telling; the steps know nothing of why it failed. If the
// threads that the failure is about have some, it is the last of these, which is nearest to the
// failure; or else the first of all: where the run left the order of exact time.
std::optional<UntimelyEndView> untimely_end_of(const session::FailedRun& run,
                                               binary::Symbolizer& symbolizer, SourceText& source,
                                               ObjectNames& objects);

}  // namespace snag::report
