// The results of `snag run`, `snag replay` and `snag shrink`.
#pragma once

#include <string>
#include <vector>

#include "tool/explore/explorer.h"
#include "tool/report/view/report.h"

namespace snag::report {

struct RunReport : Report {
  std::uint64_t seed = 0;
  StrategyKind strategy = StrategyKind::kMix;
  Points points = Points::kShared;
  Timeouts timeouts = Timeouts::kEarly;
  std::int32_t preemption_bound = -1;
  explore::Totals totals;
  session::FileChanges changed_files;
  std::string no_test;  // the line by which a test framework says that it ran none
  bool interrupted = false;
  bool out_of_time = false;  // --time ended the search
  std::string error;         // why the search ended early; empty if it did not
  std::vector<suppress::Suppression> suppressions;
  std::vector<std::string> ignored_suppressions;  // kinds that do not apply to this command

  std::string text(const TextStyle& style) const override;
  Json fields() const override;

  // Why the absence of failures means little.
  struct Doubt {
    const char* kind;
    std::string message;
  };
  std::vector<Doubt> doubts() const;
};

RunReport run_report(const explore::ExploreResult& result, const explore::ExploreOptions& options,
                     int exit_code, binary::Symbolizer& symbolizer);

struct ReplayReport : Report {
  std::string verdict;  // one sentence
  std::uint64_t runs = 0;
  std::uint64_t identical = 0;
  bool by_position = false;
  std::uint64_t searched = 0;  // runs of --or-search
  bool is_reproduced = false;  // the text shows the failure; else only the verdict

  std::string text(const TextStyle& style) const override;
  Json fields() const override;
};

struct ShrinkReport : Report {
  std::string verdict;  // one sentence
  std::uint64_t switches_before = 0;
  std::uint64_t switches_after = 0;
  std::uint64_t attempts = 0;
  double seconds = 0;
  bool smallest = false;  // no schedule with fewer switches fails

  std::string text(const TextStyle& style) const override;
  Json fields() const override;
};

}  // namespace snag::report
