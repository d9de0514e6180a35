// The options of `snag cover` itself, with their defaults.
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <string>

#include "protocol/shared_memory.h"
#include "tool/cli/options/option_table.h"
#include "tool/coverage/data/file.h"
#include "tool/coverage/data/metric.h"

namespace snag::cli {

struct CoverSettings {
  static constexpr std::uint64_t kDefaultControlledRuns = 2'000;

  std::uint64_t runs = 0;  // 0: one run, or with --control the default
  double time = 0;
  std::uint32_t metrics = metric_bit(Metric::kLocationPairs) | metric_bit(Metric::kLines);
  std::uint64_t context = 0;
  std::set<std::string> ignored;
  std::string output = coverage::kDefaultCoverFile;
  bool quiet = false;
  bool control = false;
  // With --control only.
  ChosenSettings run{.values = without_checks()};  // snag run is for finding errors
  std::string stdin_file;
};

std::span<const OptionRow<CoverSettings>> cover_options();

// Whether options that are valid by themselves can be combined.
Expected<void> check_together(const CoverSettings& settings);

}  // namespace snag::cli
