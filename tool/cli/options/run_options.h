// The options of `snag run`, with their defaults.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "tool/cli/options/option_table.h"
#include "tool/report/formats/format.h"

namespace snag::cli {

struct RunOptions {
  static constexpr std::uint64_t kDefaultRuns = 2'000;    // when neither --runs nor --time is given
  static constexpr std::uint64_t kDefaultAttempts = 200;  // --strategy cover, for each pair

  std::uint64_t runs = 0;
  double time = 0;
  ChosenSettings run;
  std::uint64_t jobs = 1;
  bool keep_going = false;
  const report::Format* format = &report::kFormats[0];
  bool quiet = false;
  bool show_output = false;
  std::string out = "snag-traces";
  double shrink_time = 10;
  std::string stdin_file;
  std::string suppressions;
  std::string cover_file, prune_file;
};

std::span<const OptionRow<RunOptions>> run_options();

// Whether options that are valid by themselves can be combined.
Expected<void> check_together(const RunOptions& options);

}  // namespace snag::cli
