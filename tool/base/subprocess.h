// Runs a command to its end and keeps what it printed.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tool/base/error.h"

namespace snag {

struct Printed {
  int exit_code = 0;  // 128 + signal, if one ended it
  std::string out, err;
};

// In the folder `directory`, or in this one if that is empty. Standard input is empty. It ends with
// this process, and when `should_stop` says so: then that is an error.
Expected<Printed> run_command(const std::vector<std::string>& command, const std::string& directory,
                              const std::function<bool()>& should_stop);

}  // namespace snag
