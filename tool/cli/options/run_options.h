// The options of `snag run`, with their defaults.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "protocol/shared_memory.h"
#include "tool/cli/options/option_table.h"
#include "tool/report/formats/format.h"

namespace snag::cli {

struct RunSettings {
  static constexpr std::uint64_t kDefaultRuns = 2'000;    // when neither --runs nor --time is given
  static constexpr std::uint64_t kDefaultAttempts = 200;  // --strategy cover, for each pair
  static constexpr std::uint64_t kDefaultDepth = 3;

  std::uint64_t runs = 0;
  double time = 0;
  std::optional<std::uint64_t> seed;
  StrategyKind strategy = StrategyKind::kMix;
  std::optional<std::uint64_t> depth;
  std::optional<std::uint64_t> preemptions;
  Points points = Points::kShared;
  Backend backend = Backend::kUser;
  Races races = Races::kReport;
  bool heap_checks = true;
  bool lock_misuse = true;
  bool lock_order = true;
  std::uint64_t jobs = 1;
  bool keep_going = false;
  const report::Format* format = &report::kFormats[0];
  bool quiet = false;
  bool show_output = false;
  std::string out = "snag-traces";
  std::uint64_t max_steps = 1'000'000;
  double hang_timeout = 10;
  double shrink_time = 10;
  std::string stdin_file;
  std::string suppressions;
  std::string cover_file, prune_file;
};

std::span<const OptionRow<RunSettings>> run_options();

// Whether options that are right by themselves go together.
Expected<void> check_together(const RunSettings& settings);

}  // namespace snag::cli
