// What active testing of one program is asked to do.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "tool/active/candidates/candidate_kinds.h"
#include "tool/active/predict/predict.h"
#include "tool/active/tool_reports/tool_report.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct ActiveOptions {
  explore::ExploreOptions explore;  // `runs`: for each candidate
  std::uint64_t watched_runs = 3;
  bool may_watch_more = true;  // if these runs show too little
  KindSet wanted = KindSet::all();
  bool use_breakpoints = false;  // ConfirmOptions::use_breakpoints
  std::uint32_t longest_cycle = kDefaultCycle;
  std::string file;  // keeps the verdicts for the next call; empty: do not keep them
  // Another tool's report: only its entries are tried, and nothing is predicted.
  std::optional<ToolReport> report;
};

struct ActiveHooks {
  // Called before and during the attempts for each candidate: its number, the number of candidates,
  // and its runs so far.
  std::function<void(std::size_t, std::size_t, std::uint64_t)> progress =
      [](std::size_t, std::size_t, std::uint64_t) {};
  std::function<bool()> should_stop = [] { return false; };
};

}  // namespace snag::active
