// Runs a command to its end and returns its output.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tool/base/error.h"

namespace snag {

struct Printed {
  int exit_code = 0;    // 128 + signal if a signal ended it
  int wait_status = 0;  // of waitpid
  std::string out, err;
};

// Runs the command in `directory`, or in the current folder if that is empty, with empty standard
// input. Kills it, and returns an error, as soon as `should_stop` returns true.
Expected<Printed> run_command(const std::vector<std::string>& command, const std::string& directory,
                              const std::function<bool()>& should_stop);

}  // namespace snag
