// Finds the compiler behind a wrapper and executes the commands of a BuildPlan.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tool/toolchain/toolchain.h"

namespace snag::toolchain {

// The compiler named by environment variable `variable` (a command, perhaps with arguments), or
// else `fallback`. Starts the compiler once to ask for its kind, but only when its name does not
// tell.
tl::expected<Compiler, std::string> find_compiler(const char* variable,
                                                  const std::string& fallback);

// A unique directory name below TMPDIR. Does not make the directory.
std::string scratch_name();

// Executes the commands, with standard input, output and error of this process; returns the exit
// code of the last one executed. A plan of a single command replaces this process, and then this
// does not return. Removes the scratch directory whatever happens, also when this process is
// interrupted or terminated. SNAG_VERBOSE=1 shows the commands. The error is one sentence for the
// user.
tl::expected<int, std::string> execute(const BuildPlan& plan, const std::string& scratch);

}  // namespace snag::toolchain
