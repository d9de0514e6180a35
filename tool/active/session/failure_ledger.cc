#include "tool/active/session/failure_ledger.h"

#include <algorithm>
#include <filesystem>

#include "tool/active/confirm/confirm.h"
#include "tool/active/confirm/confirm_kinds.h"
#include "tool/base/names.h"

namespace snag::active {
namespace {

// Removes a trace that no report mentions. If the folder cannot be written, it stays: no harm done.
void remove_trace(const std::string& path) {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove(path, ignored);
}

}  // namespace

std::string FailureLedger::signature_of(const session::FailedRun& run) const {
  return signatures_.of(run) + " " + raced_variable_of(run, symbolizer_);
}

bool FailureLedger::is_known(const session::FailedRun& run) {
  const std::string signature = signature_of(run);
  met_.insert(signature);
  return confirmed_.contains(signature) || unpredicted_.contains(signature);
}

void FailureLedger::recall() {
  std::error_code ignored;
  for (const auto& [key, verdict] : stored_.verdicts) {
    if (verdict.confirmed && !verdict.signature.empty() &&
        std::filesystem::exists(verdict.trace, ignored))
      confirmed_.try_emplace(verdict.signature, verdict.trace);
  }
  for (const auto& [signature, failure] : stored_.failures) {
    if (!std::filesystem::exists(failure.trace, ignored)) continue;
    unpredicted_.insert(signature);
    result_.earlier_failures.push_back({failure.text, failure.trace});
  }
}

void FailureLedger::recall_unpredicted() {
  std::set<std::string> shown;
  for (const Verdict& verdict : result_.verdicts) {
    if (verdict.end == Verdict::End::kConfirmed) shown.insert(verdict.trace_path);
  }
  for (const auto& [key, verdict] : stored_.verdicts) {
    const auto known = confirmed_.find(verdict.signature);
    if (verdict.confirmed && met_.contains(verdict.signature) && known != confirmed_.end() &&
        known->second == verdict.trace && shown.insert(verdict.trace).second)
      result_.earlier_failures.push_back({key, verdict.trace});
  }
}

void FailureLedger::remember(const explore::Finding& finding) {
  const trace::TraceFailure& failure = finding.trace.failure;
  std::string text(name_of(failure.kind));
  if (!failure.message.empty()) text += ": " + failure.message;
  if (!failure.location.empty()) text += " at " + failure.location;
  stored_.failures[signature_of(finding.run)] = {std::move(text), finding.trace_path};
}

void FailureLedger::take(Verdict& verdict, explore::Finding finding) {
  const std::string signature = signature_of(finding.run);
  const bool by_place = row_of(verdict.candidate.kind).has(kFailureNamesPlaces);
  const auto repeat = [&](const std::string& trace_path) {
    verdict.trace_path = trace_path;
    verdict.is_repeated = true;
    remove_trace(finding.trace_path);
  };
  for (const Verdict& other : result_.verdicts) {
    for (const explore::Finding* shown : other.shown()) {
      if (signature_of(shown->run) != signature) continue;
      if (!by_place && !happened_in(verdict.candidate, shown->run, symbolizer_)) continue;
      repeat(shown->trace_path);
      return;
    }
  }
  const auto [known, is_new] = confirmed_.try_emplace(signature, finding.trace_path);
  if (by_place && !is_new) {  // confirmed by an earlier call
    repeat(known->second);
    return;
  }
  verdict.trace_path = finding.trace_path;
  verdict.finding = std::move(finding);
}

void FailureLedger::keep_failures(std::vector<explore::Finding> failures) {
  for (explore::Finding& finding : failures) {
    const std::string signature = signature_of(finding.run);
    met_.insert(signature);
    if (!confirmed_.contains(signature) && unpredicted_.insert(signature).second)
      result_.failures.push_back(std::move(finding));
    else
      remove_trace(finding.trace_path);
  }
}

void FailureLedger::confirm_by_others() {
  for (Verdict& verdict : result_.verdicts) {
    if (verdict.end == Verdict::End::kConfirmed) continue;
    const bool needs_failure = row_of(verdict.candidate.kind).has(kNeedsFailure);
    const auto is_it = [&](const explore::Finding& finding) {
      return finding.confirmed() && happened_in(verdict.candidate, finding.run, symbolizer_) &&
             (!needs_failure || !fails_serially_(finding.run));
    };
    const auto met = std::find_if(result_.failures.begin(), result_.failures.end(), is_it);
    if (met != result_.failures.end()) {
      verdict.end = Verdict::End::kConfirmed;
      verdict.trace_path = met->trace_path;
      verdict.finding = std::move(*met);
      result_.failures.erase(met);
      continue;
    }
    for (const Verdict& other : result_.verdicts) {
      for (const explore::Finding* finding : other.shown()) {
        if (verdict.end == Verdict::End::kConfirmed || !is_it(*finding)) continue;
        verdict.end = Verdict::End::kConfirmed;
        verdict.trace_path = finding->trace_path;
        verdict.is_repeated = true;
      }
    }
  }
}

void FailureLedger::drop_confirming_failures() {
  for (const Verdict& verdict : result_.verdicts) {
    for (const explore::Finding* finding : verdict.shown()) {
      const std::string signature = signature_of(finding->run);
      std::erase_if(result_.failures, [&](const explore::Finding& other) {
        if (signature_of(other.run) != signature) return false;
        remove_trace(other.trace_path);
        return true;
      });
    }
  }
}

std::vector<Verdict*> FailureLedger::attach_uses_of_freed_memory() {
  std::vector<Verdict*> changed;
  for (Verdict& verdict : result_.verdicts) {
    if (verdict.end != Verdict::End::kConfirmed || !verdict.finding) continue;
    const auto uses = std::stable_partition(
        result_.failures.begin(), result_.failures.end(), [&](const explore::Finding& finding) {
          return !finding.confirmed() || !uses_what_is_freed(verdict.candidate, finding.run);
        });
    if (uses == result_.failures.end()) continue;
    verdict.harmful = true;
    verdict.consequences = kUsesFreedMemory;
    for (auto use = uses; use != result_.failures.end(); ++use) {
      if (verdict.failure)
        verdict.more_uses.push_back(std::move(*use));
      else
        verdict.failure = std::move(*use);
    }
    result_.failures.erase(uses, result_.failures.end());
    changed.push_back(&verdict);
  }
  return changed;
}

const session::FailedRun* FailureLedger::shown_run(const Verdict& verdict) const {
  if (verdict.finding) return &verdict.finding->run;
  if (verdict.trace_path.empty()) return nullptr;  // the trace could not be written
  for (const Verdict& other : result_.verdicts) {
    for (const explore::Finding* shown : other.shown()) {
      if (shown->trace_path == verdict.trace_path) return &shown->run;
    }
  }
  return nullptr;
}

// Whether a confirmed candidate of one variable fails in the same way, and happened in this run,
// too.
bool FailureLedger::is_explained(const session::FailedRun& run) {
  const std::string signature = signature_of(run);
  const auto explains = [&](const Verdict& verdict) {
    if (verdict.end != Verdict::End::kConfirmed || verdict.candidate.kind != Kind::kAtomicity ||
        verdict.candidate.any_memory)
      return false;
    const session::FailedRun* shown = shown_run(verdict);
    const std::string known =
        shown ? signature_of(*shown) : stored_.verdicts[verdict.candidate.key()].signature;
    return known == signature && happened_in(verdict.candidate, run, symbolizer_);
  };
  return std::any_of(result_.verdicts.begin(), result_.verdicts.end(), explains);
}

std::vector<Verdict*> FailureLedger::drop_explained() {
  std::vector<Verdict*> explained, changed;
  for (Verdict& verdict : result_.verdicts) {
    if (verdict.end != Verdict::End::kConfirmed || !verdict.candidate.any_memory) continue;
    const session::FailedRun* run = shown_run(verdict);
    if (run && is_explained(*run)) explained.push_back(&verdict);
  }
  for (Verdict* verdict : explained) verdict->end = Verdict::End::kHappened;
  for (Verdict* verdict : explained) {
    if (verdict->finding) {
      const auto heir =
          std::find_if(result_.verdicts.begin(), result_.verdicts.end(), [&](const Verdict& other) {
            return other.end == Verdict::End::kConfirmed && other.is_repeated &&
                   other.trace_path == verdict->trace_path;
          });
      if (heir != result_.verdicts.end()) {
        heir->finding = std::move(verdict->finding);
        heir->is_repeated = false;
        changed.push_back(&*heir);
      } else {
        remove_trace(verdict->trace_path);
      }
    }
    verdict->finding.reset();
    verdict->trace_path.clear();
    verdict->is_repeated = false;
    verdict->is_explained = true;
    changed.push_back(verdict);
  }
  return changed;
}

}  // namespace snag::active
