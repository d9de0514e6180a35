// What active testing of one program found.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/active/candidates/candidate.h"
#include "tool/active/confirm/confirm.h"
#include "tool/explore/explorer.h"

namespace snag::active {

struct Verdict {
  Candidate candidate;
  enum class End {
    kConfirmed,
    kHappened,  // kinds with kNeedsFailure: it happened, but did not make the program fail
    kNotReproduced,
    kNotTried,    // interrupted, or out of time
    kSuppressed,  // by the user
  } end = End::kNotTried;
  std::uint64_t runs = 0;          // including those of earlier calls
  std::uint64_t earlier_runs = 0;  // of earlier calls
  explore::DirectedTotals reached;
  Obstacles obstacles;       // of this call
  std::string trace_path;    // kConfirmed
  std::string consequences;  // of a race
  bool harmful = false;
  bool is_repeated = false;   // it shares its failure and trace with an earlier candidate
  bool is_explained = false;  // kHappened: another candidate is the reason for the failure
  std::optional<explore::Finding> finding;  // if this call confirmed it
  std::optional<explore::Finding> failure;  // the consequence of a race
  // Of a race that frees memory: other places at which the freed memory was used.
  std::vector<explore::Finding> more_uses;

  // The failures that this call shows for it.
  std::vector<const explore::Finding*> shown() const {
    std::vector<const explore::Finding*> result;
    if (finding) result.push_back(&*finding);
    if (failure) result.push_back(&*failure);
    for (const explore::Finding& use : more_uses) result.push_back(&use);
    return result;
  }
};

std::string_view name_of(Verdict::End end);

// What became of an entry of another tool's report.
struct EntryResult {
  Kind kind = Kind::kRace;
  std::uint64_t line = 0, times = 1;  // as in ReportEntry
  std::vector<std::size_t> verdicts;  // of the candidates that the entry may mean
  std::string problem;                // why there are none
  bool is_unclear = false;            // the entry does not say which of these it means
};
struct ReportResult {
  std::uint64_t races = 0, lock_orders = 0, left_out = 0;  // as in ToolReport
  std::vector<EntryResult> entries;

  // Whether any entry is about this program.
  bool is_of_program() const;
};

struct ActiveResult {
  std::vector<Verdict> verdicts;
  std::optional<ReportResult> report;
  std::vector<explore::Finding> failures;  // that no candidate predicted
  struct Earlier {
    std::string text, trace_path;
  };
  std::vector<Earlier> earlier_failures;  // of earlier calls
  std::uint64_t watched_runs = 0, runs = 0;
  std::string watched_more;  // why more runs were watched than asked for; empty: they were not
  std::uint64_t accesses = 0, left_out = 0;
  bool interrupted = false;
  bool out_of_time = false;
  bool has_threads = false;  // a run that was watched started a thread
  bool lacks_debug_info = false;
  std::vector<std::string> warnings;  // what could not be written, without duplicates
};

// How many verdicts have this end.
std::size_t count_of(const ActiveResult& result, Verdict::End end);

}  // namespace snag::active
