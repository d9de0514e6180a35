// The options of `snag gen`, with their defaults.
#pragma once

#include <span>
#include <string>

#include "cli/option_table.h"
#include "gen/gen_options.h"

namespace snag::cli {

struct GenSettings {
  gen::GenOptions options;
  std::string config;
  bool keep = false;
  bool list = false;
  bool json = false;
  bool quiet = false;
};

std::span<const OptionRow<GenSettings>> gen_options();

// Whether options that are right by themselves go together.
engine::Expected<void> check_together(const GenSettings& settings);

}  // namespace snag::cli
