// A failure as text for people: what happened, where the threads were, what led to it, and the
// commands that show it again.
#pragma once

#include <string>

#include "tool/base/terminal.h"
#include "tool/report/view/failure_view.h"

namespace snag::report {

// The whole failure; with the last lines of the program's output, or everything that was kept.
std::string failure_text(const FailureView& failure, const Painter& painter,
                         bool all_output = false);

// "deadlock after 13 runs (seed 42, strategy pct)"
std::string headline(const FailureView& failure);

// The threads, as far as they matter for this kind of failure.
std::string threads_text(const FailureView& failure, const Painter& painter);

// The table of the interleaving, with a title.
std::string interleaving_text(const FailureView& failure, const Painter& painter);

}  // namespace snag::report
