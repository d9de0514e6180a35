// The program that a command line names, for the commands that start one.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/base/error.h"
#include "tool/base/process.h"
#include "tool/cli/options/chosen_settings.h"

namespace snag::cli {

struct NamedProgram {
  Program program;  // with absolute paths, so that it can be started again from another folder
  std::uint64_t hash = 0;
};

// The program after `--`, if it can be started and was built with Snag; `usage` shows how to give
// one.
Expected<NamedProgram> named_program(const std::vector<std::string>& command,
                                     const std::string& stdin_file, const char* usage);

// The seed if the command line gives none: another one each time, short enough to be typed.
void draw_seed(ChosenSettings& run);
// The number of processors, so that a replay on another machine has as many.
void count_processors(ChosenSettings& run);

}  // namespace snag::cli
