// Active testing of one program: watch some runs, predict, confirm.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm.h"
#include "tool/active/predict/predict.h"
#include "tool/active/tool_reports/tool_report.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct ActiveOptions {
  explore::ExploreOptions explore;  // `runs`: for each candidate
  std::uint64_t watched_runs = 3;
  bool may_watch_more = true;                 // where these tell too little
  bool wanted[4] = {true, true, true, true};  // by Kind
  bool by_paper = false;
  std::uint32_t longest_cycle = kDefaultCycle;
  std::string file;  // where verdicts are kept; empty: nowhere
  // Another tool's: only what is in it is tried, and nothing is predicted.
  std::optional<ToolReport> report;

  bool wants(Kind kind) const { return wanted[static_cast<int>(kind)]; }
};

struct Verdict {
  Candidate candidate;
  enum class End {
    kConfirmed,
    kHappened,  // kAtomicity: an access did come in between, and no failure came of it
    kNotReproduced,
    kNotTried,    // interrupted, or out of time
    kSuppressed,  // by the user
  } end = End::kNotTried;
  std::uint64_t runs = 0;          // of all calls of the tool
  std::uint64_t earlier_runs = 0;  // of those before this one
  explore::DirectedTotals reached;
  Obstacles obstacles;       // of this call
  std::string trace_path;    // kConfirmed
  std::string consequences;  // of a race
  bool harmful = false;
  bool is_repeated = false;   // the failure is that of an earlier candidate, and so is the trace
  bool is_explained = false;  // kHappened: it failed then, but another candidate is the reason
  std::optional<explore::Finding> finding;  // if it was confirmed now
  std::optional<explore::Finding> failure;  // that follows from a race
};

// What became of an entry of another tool's report.
struct EntryResult {
  Kind kind = Kind::kRace;
  std::uint64_t line = 0, times = 1;  // as ReportEntry has them
  std::vector<std::size_t> verdicts;  // of the candidates that stand for it
  std::string problem;                // why there is none
  bool is_unclear = false;            // which of these it is
};
struct ReportResult {
  std::uint64_t races = 0, lock_orders = 0, left_out = 0;  // as ToolReport has them
  std::vector<EntryResult> entries;

  // Whether something of it is in this program.
  bool is_of_program() const;
};

struct ActiveResult {
  std::vector<Verdict> verdicts;
  std::optional<ReportResult> report;
  std::vector<explore::Finding> failures;  // met on the way
  struct Earlier {
    std::string text, trace_path;
  };
  std::vector<Earlier> earlier_failures;  // of earlier calls
  std::uint64_t watched_runs = 0, runs = 0;
  std::string watched_more;  // why these were more than asked for; else empty
  std::uint64_t accesses = 0, left_out = 0;
  bool interrupted = false;
  bool out_of_time = false;
  bool has_threads = false;  // beside the first one, in the runs watched
  bool lacks_debug_info = false;
  std::vector<std::string> warnings;  // what could not be written, each once
};

struct ActiveHooks {
  // Before each candidate and while it is tried: which one of how many, and runs for it so far.
  std::function<void(std::size_t, std::size_t, std::uint64_t)> progress =
      [](std::size_t, std::size_t, std::uint64_t) {};
  std::function<bool()> should_stop = [] { return false; };
};

Expected<ActiveResult> test_actively(const ActiveOptions& options, binary::Symbolizer& symbolizer,
                                     const ActiveHooks& hooks);

}  // namespace snag::active
