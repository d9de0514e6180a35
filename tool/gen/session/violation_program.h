// A violation as a whole program: the driver with one test in a file. The engine finds and shrinks
// its schedule, and writes the trace to replay.
#pragma once

#include <functional>

#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"
#include "tool/gen/session/session_options.h"
#include "tool/gen/worker/worker_process.h"

namespace snag::gen {

enum class Search { kDone, kCutShort };  // kCutShort: nothing was found until it had to stop

// Fills in the files, the texts and the finding. Files that cannot be written are no error.
Expected<Search> look_for_schedule(const GenSessionOptions& options, const DriverInfo& driver,
                                   const WorkerSettings& settings, binary::Symbolizer& symbolizer,
                                   const std::function<bool()>& should_stop, FoundViolation& found);

// The file for `driver --test`.
std::string test_file_text(const DriverInfo& driver, const WorkerSettings& settings,
                           const Violation& violation);

// What `driver --describe` prints.
TestText parse_description(const std::string& text, const Test& test);

}  // namespace snag::gen
