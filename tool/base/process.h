// Starting the program under test, and what became of it.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tool/base/error.h"

namespace snag {

// What to start, the same way every time.
struct Program {
  std::string path;               // of the file to execute
  std::vector<std::string> argv;  // as the program sees it; argv[0] need not be the path
  std::string stdin_path;         // empty: /dev/null
};

// Looks a command up as a shell would: with a slash it is a path, without it is searched for in
// PATH.
Expected<std::string> find_program(const std::string& command);

// Starts the program as the leader of a process group of its own, so that all it started can be
// ended together and a Ctrl-C at the terminal reaches the tool alone. `control_fd` stays open in
// it, under the same number; its standard output and error go to `output_fd`.
Expected<pid_t> start_program(const Program& program, int control_fd, int output_fd);

// Starts the program as a shell would: with the tool's own input and output, in its process group,
// so that a Ctrl-C at the terminal reaches both. `variable` is "NAME=value", to be added to its
// environment; descriptors that are not close-on-exec stay open in it.
Expected<pid_t> start_freely(const Program& program, const std::string& variable);

// "was killed by SIGSEGV" or "exited with status 3", from what waitpid said.
std::string describe_status(int wait_status);

}  // namespace snag
