// Runs that find the files of the working folder as they were when the search began
// (RunSettings::cwd_snapshot).
//
// Where the system allows it, an overlay lies over the folder, and another one over that of
// temporary files, in a mount namespace of the server's own: what a run writes goes into memory,
// and nobody else sees it. After a run that wrote something, a new overlay takes the place of the
// old one. Otherwise the runs work in a copy of the folder, which is made again after each run that
// changed it.
#pragma once

#include "protocol/shared_memory.h"

namespace snag::rt {

// By the process that stays, once, before the first run. Null, or why it is not possible.
const char* begin_snapshot(Shared* shared);
// By the same, before each run.
const char* restore_snapshot();
// By the run's process, before anything else.
void enter_snapshot();

}  // namespace snag::rt
