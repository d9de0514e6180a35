// The exit codes of snag, the same for all subcommands. Scripts rely on them: never change a
// meaning. The wrappers `snag c++` and `snag cc` exit with the code of the compiler instead.
//
// docs/reference/exit-codes.md is generated from this table: scripts/approve updates it.
#pragma once

namespace snag::cli {

// X(enumerator, code, meaning)
#define SNAG_EXIT_CODES(X)                                                                        \
  X(kExitClean, 0, "the command did its work, and no failure was found")                          \
  X(kExitFailureFound, 1,                                                                         \
    "a failure of the program under test was found, or came back in a replay; coverage is below " \
    "the limit of `snag cover report --fail-under`")                                              \
  X(kExitUsage, 2, "the command line is wrong, or a file that it names is not what it should be") \
  X(kExitNothingRan, 3,                                                                           \
    "not a single run took place: the program is missing, was not built with Snag, or ended "     \
    "before its first run; or it overwrote Snag's memory, or left it none")                       \
  X(kExitReplayDiverged, 5, "a replay did not follow the recorded schedule")                      \
  X(kExitInternalError, 70, "a fault of Snag itself (`EX_SOFTWARE`)")

enum ExitCode : int {
#define SNAG_ENUMERATOR(name, code, meaning) name = code,
  SNAG_EXIT_CODES(SNAG_ENUMERATOR)
#undef SNAG_ENUMERATOR
};

}  // namespace snag::cli
