// The part of the command line of `snag gen` that says what to test (gen::GenTarget).
#pragma once

#include <span>
#include <string>

#include "tool/cli/options/option_table.h"
#include "tool/gen/model/gen_target.h"

namespace snag::cli {

struct GenTargetArgs {
  gen::GenTarget options;
  std::string config;
  bool keep = false;
  bool list = false;
};

std::span<const OptionRow<GenTargetArgs>> gen_target_options();

// Adds the arguments that are not options, reads the configuration file, and checks that everything
// fits together.
Expected<void> complete(GenTargetArgs& input, const SplitLine& line);

}  // namespace snag::cli
