// An interleaving as a table for people: time runs downwards, and each thread has a column. If the
// threads do not fit side by side, it becomes a list with the threads' names in front.
#pragma once

#include <string>

#include "tool/base/terminal.h"
#include "tool/report/view/interleaving.h"

namespace snag::report {

// Lines that end in a newline; empty if there are no events.
std::string table_text(const Interleaving& interleaving, const Painter& painter);

// The colour of a thread, the same everywhere in a report.
Colour thread_colour(Tid thread);

}  // namespace snag::report
