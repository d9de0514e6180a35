// Starts processes, and describes how they ended. The only place in the tool that forks.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "tool/base/error.h"

namespace snag {

// The program under test. It is started the same way every time.
struct Program {
  std::string path;               // the file to execute
  std::vector<std::string> argv;  // as the program sees it; argv[0] need not be the path
  std::string stdin_path;         // empty: /dev/null
};

// Where a standard stream of a new process leads, if not to a descriptor.
inline constexpr int kInherited = -1;
inline constexpr int kNullDevice = -2;

// How to start a process. It dies with the tool (PR_SET_PDEATHSIG).
struct ProcessStart {
  std::string path;
  std::vector<std::string> argv;
  std::string directory;  // empty: the tool's own
  std::string variable;   // "NAME=value", added to the environment; empty: none
  int input = kInherited, output = kInherited, error = kInherited;
  int kept_fd = -1;              // stays open in the process although it is close-on-exec
  bool searches_path = false;    // look `path` up in PATH, as a shell does
  bool is_users_program = true;  // as opposed to a process that the tool needs for itself
  bool own_group = true;  // can be killed with everything it started; Ctrl-C does not reach it
  bool same_addresses = false;  // without address space randomization, where the system allows it
};

// Returns once the process executes the file, or reports why it could not.
Expected<pid_t> start_process(const ProcessStart& start);

// Looks a command up as a shell does: with a slash it is a path, otherwise it is searched for in
// PATH.
Expected<std::string> find_program(const std::string& command);

// Starts the program under test in its own process group. `control_fd` stays open in it, under the
// same number; standard output and error go to `output_fd`.
Expected<pid_t> start_program(const Program& program, int control_fd, int output_fd);

// Starts the program as a shell does: with the tool's own input and output, and in its process
// group, so that Ctrl-C at the terminal reaches both. Adds `variable`, a "NAME=value", to the
// environment. Descriptors that are not close-on-exec stay open.
Expected<pid_t> start_freely(const Program& program, const std::string& variable);

// "was killed by SIGSEGV" or "exited with status 3", from waitpid's status.
std::string describe_status(int wait_status);

}  // namespace snag
