// The options of `snag gen` that are about its input: the class, and how to call it.
#pragma once

#include <span>
#include <string>

#include "tool/cli/options/option_table.h"
#include "tool/gen/model/gen_options.h"

namespace snag::cli {

struct GenInput {
  gen::GenOptions options;
  std::string config;
  bool keep = false;
  bool list = false;
};

std::span<const OptionRow<GenInput>> gen_input_options();

// Takes in what stands on the line beside options, reads the configuration file, and checks whether
// all goes together.
Expected<void> complete(GenInput& input, const SplitLine& line);

}  // namespace snag::cli
