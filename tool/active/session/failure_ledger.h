// Decides which candidate each failure belongs to, so that every failure is reported once: for the
// candidate that it confirms, or by itself if no candidate predicted it.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/active/confirm/serial_failures.h"
#include "tool/active/session/active_result.h"
#include "tool/active/session/verdict_file.h"
#include "tool/binary/symbolizer.h"

namespace snag::active {

class FailureLedger {
 public:
  // `fails_serially`: whether the failure also comes when threads take turns only when they must.
  // All references must outlive the ledger.
  FailureLedger(ActiveResult& result, Stored& stored, const Signatures& signatures,
                binary::Symbolizer& symbolizer,
                std::function<bool(const session::FailedRun&)> fails_serially)
      : result_(result),
        stored_(stored),
        signatures_(signatures),
        symbolizer_(symbolizer),
        fails_serially_(std::move(fails_serially)) {}

  // Loads what earlier calls found (Stored).
  void recall();
  // Shows what an earlier call confirmed if it failed again without being predicted.
  void recall_unpredicted();
  // Keeps the failure for later calls.
  void remember(const explore::Finding& finding);

  // Identifies a failure. Races on different variables of one line differ.
  std::string signature_of(const session::FailedRun& run) const;
  // Notes that the failure occurred; whether it was reported before.
  bool is_known(const session::FailedRun& run);

  // Gives the verdict the failure that confirms it. Several candidates may lead to one failure,
  // for example accesses next to each other: it is shown once, provided that the candidate
  // happened in the run that is shown.
  void take(Verdict& verdict, explore::Finding finding);
  // Keeps failures that no candidate predicted, each once.
  void keep_failures(std::vector<explore::Finding> failures);
  // Confirms candidates that happened in a run for another candidate.
  void confirm_by_others();
  // Drops failures that confirm a candidate from the list of unpredicted ones.
  void drop_confirming_failures();
  // Gives a confirmed race that frees memory the failures in which that memory is used: by the
  // other access, or by those near it. Returns the verdicts it changed.
  std::vector<Verdict*> attach_uses_of_freed_memory();
  // Variables that are used close to each other make many candidates of two variables. Drops those
  // that a failure does not need: they are not bugs of their own. Returns the verdicts it changed.
  std::vector<Verdict*> drop_explained();

 private:
  // The run that is shown for the verdict; null if an earlier call showed it.
  const session::FailedRun* shown_run(const Verdict& verdict) const;
  bool is_explained(const session::FailedRun& run);

  ActiveResult& result_;
  Stored& stored_;
  const Signatures& signatures_;
  binary::Symbolizer& symbolizer_;
  std::function<bool(const session::FailedRun&)> fails_serially_;
  std::set<std::string> unpredicted_;             // signatures
  std::map<std::string, std::string> confirmed_;  // traces by signature
  std::set<std::string> met_;                     // signatures of all failures of this call
};

}  // namespace snag::active
