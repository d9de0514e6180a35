// Starting the driver.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/gen/model/test.h"

namespace snag::gen {

// In a process group of its own, with /dev/null for its streams; it ends when the tool does.
// Descriptors that are not close-on-exec stay open in it.
Expected<pid_t> start_driver(const std::string& executable,
                             const std::vector<std::string>& arguments);

// Returns what it prints. An error if it does not exit with 0, or not in time.
Expected<std::string> output_of(const std::string& executable,
                                const std::vector<std::string>& arguments,
                                const std::function<bool()>& should_stop);

// By `--list`.
Expected<DriverInfo> ask_driver(const std::string& executable,
                                const std::function<bool()>& should_stop);

}  // namespace snag::gen
