// A warning, as reports show it: a wait that only its timeout ended, because the signal had come
// before.
#pragma once

#include <string>
#include <vector>

#include "tool/base/terminal.h"
#include "tool/report/view/frame_view.h"
#include "tool/report/view/object_names.h"
#include "tool/session/late_wakeups.h"

namespace snag::report {

struct LateWakeupView {
  Tid thread = 0, signaller = 0;
  std::string condition;         // a name
  double seconds = 0;            // that the wait lasted
  std::vector<FrameView> stack;  // of the wait, innermost first
  FrameView signalled_at;
  // The thread waited because of a value that was written after it had been read. An empty name:
  // the thread could know of nothing that the signalling thread had done.
  std::string variable;
  FrameView read_at, written_at;

  // "the signal for ready came too early, ...: T0 signalled at ...; T1 waited at ..."
  std::string message() const;
};

LateWakeupView view_of(const session::LateWakeup& late, binary::Symbolizer& symbolizer,
                       SourceText& source);

std::string late_wakeup_text(const LateWakeupView& warning, const Painter& painter);

}  // namespace snag::report
