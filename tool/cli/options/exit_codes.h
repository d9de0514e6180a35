// What the exit code of snag means; the same for all subcommands. Scripts rely on it: never change
// a meaning. The wrappers `snag c++` and `snag cc` exit with the code of the compiler instead.
#pragma once

namespace snag::cli {

enum ExitCode : int {
  kExitClean = 0,           // done, nothing found
  kExitFailureFound = 1,    // a failure of the program under test was found (or replayed)
  kExitUsage = 2,           // the command line or its input is wrong
  kExitNothingRan = 3,      // not a single run took place
  kExitReplayDiverged = 5,  // a replay did not go the recorded way
  kExitInternalError = 70,  // a fault of snag itself (EX_SOFTWARE)
};

}  // namespace snag::cli
