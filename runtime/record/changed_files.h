// Which files the run changes. The interposers of calls that may change one say so before they make
// the call; when the run is over, the process that stays sees which files are not as they were.
// Changes by child processes, by raw system calls and inside of libraries' own are not seen.
#pragma once

#include "protocol/shared_memory.h"

namespace snag::rt {

// From now on, files in these folders do not count: they are put back. Null: there is none. The
// paths lead through no symbolic links.
void ignore_changed_files(const char* first, const char* second);

// The current run is about to do something that may change this file. `folder`: as for openat.
// `follows`: the call changes what a symbolic link leads to, not the link. The file is known by the
// path where it really is.
void note_file_change(int folder, const char* path, bool follows = true);

// The current run is about to look at this file, or to read or change it. What matters is whether
// an earlier run has changed it.
void note_file_use(int folder, const char* path);

// The current run has made this file, which was not there before.
void note_new_file(const char* path);

// After the run: leaves those in Run::changed_files that differ from what they were, and adds them
// to Shared::changed_files.
void find_changed_files(Shared* shared);

}  // namespace snag::rt
