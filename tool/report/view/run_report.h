// All that `snag run`, `snag replay` and `snag shrink` have to say in the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/explore/explorer.h"
#include "tool/report/view/failure_view.h"
#include "tool/report/view/lock_order_view.h"

namespace snag::report {

struct RunReport {
  int exit_code = 0;
  std::string program;
  std::uint64_t seed = 0;
  StrategyKind strategy = StrategyKind::kMix;
  Points points = Points::kShared;
  std::int32_t preemption_bound = -1;
  explore::Totals totals;
  bool interrupted = false;
  std::string error;  // what ended the search early; empty: nothing
  std::vector<FailureView> failures;
  std::vector<LockOrderView> lock_orders;
  std::vector<suppress::Suppression> suppressions;
  std::vector<std::string> ignored_suppressions;  // kinds that mean nothing here
};

struct ReplayReport {
  int exit_code = 0;
  std::string program;
  std::string verdict;  // in a sentence
  std::uint64_t runs = 0;
  std::uint64_t identical = 0;
  bool by_position = false;
  std::optional<FailureView> failure;  // of the last run
  std::uint64_t searched = 0;          // runs of --or-search
};

struct ShrinkReport {
  int exit_code = 0;
  std::string program;
  std::string verdict;  // in a sentence
  std::uint64_t switches_before = 0;
  std::uint64_t switches_after = 0;
  std::uint64_t attempts = 0;
  double seconds = 0;
  bool smallest = false;
  FailureView failure;
};

}  // namespace snag::report
