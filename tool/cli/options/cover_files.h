// What the commands of `snag cover` share: reading data files, and writing results.
#pragma once

#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/coverage/data/data.h"
#include "tool/coverage/data/prune.h"

namespace snag::cli {

// One data file, or several of the same build as one; none: that of the current folder. Damaged
// lines are told on standard error.
Expected<coverage::CoverData> read_cover_files(const std::vector<std::string>& paths,
                                               const char* command);

// The given file; if none is given, that of the current folder, or nothing if there is none.
Expected<coverage::PruneList> read_prune_file(const std::string& path);

// To a file, or with "-" to standard output.
Expected<void> write_result(const std::string& path, const std::string& text);

// Prints the error, with the command in front; returns the exit code.
int complain(const char* command, const Error& error);

}  // namespace snag::cli
