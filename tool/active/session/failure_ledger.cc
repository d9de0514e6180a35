// Which failure is told for which candidate, and which by itself.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "tool/active/confirm/confirm.h"
#include "tool/active/session/test_in_progress.h"
#include "tool/base/names.h"

namespace snag::active {
namespace {

// A trace that nobody is told of. (One that stays because its folder cannot be written does no
// harm.)
void remove_trace(const std::string& path) {
  std::error_code ignored;
  if (!path.empty()) std::filesystem::remove(path, ignored);
}

}  // namespace

// What earlier calls have found is nothing new.
void ActiveTest::recall() {
  std::error_code ignored;
  for (const auto& [key, verdict] : stored_.verdicts) {
    if (verdict.confirmed && !verdict.signature.empty() &&
        std::filesystem::exists(verdict.trace, ignored))
      confirmed_.try_emplace(verdict.signature, verdict.trace);
  }
  for (const auto& [signature, failure] : stored_.failures) {
    if (!std::filesystem::exists(failure.trace, ignored)) continue;
    signatures_.insert(signature);
    result_.earlier_failures.push_back({failure.text, failure.trace});
  }
}

// What an earlier call has confirmed and this one did not predict failed again all the same.
void ActiveTest::recall_unpredicted() {
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

void ActiveTest::remember(const explore::Finding& finding) {
  const trace::TraceFailure& failure = finding.trace.failure;
  std::string text(name_of(failure.kind));
  if (!failure.message.empty()) text += ": " + failure.message;
  if (!failure.location.empty()) text += " at " + failure.location;
  stored_.failures[signature_of(finding.run)] = {std::move(text), finding.trace_path};
}

// Several candidates may end in one failure: accesses that are close to each other do. It is shown
// once, if what this candidate is about happened in the run that is shown.
void ActiveTest::take(Verdict& verdict, explore::Finding finding) {
  const std::string signature = signature_of(finding.run);
  const bool by_place =
      verdict.candidate.kind == Kind::kRace || verdict.candidate.kind == Kind::kDeadlock;
  for (const Verdict& other : result_.verdicts) {
    for (const auto* shown : {&other.finding, &other.failure}) {
      if (!*shown || signature_of((*shown)->run) != signature) continue;
      if (!by_place && !happened_in(verdict.candidate, (*shown)->run, symbolizer_)) continue;
      verdict.trace_path = (*shown)->trace_path;
      verdict.is_repeated = true;
      remove_trace(finding.trace_path);
      return;
    }
  }
  const auto [known, is_new] = confirmed_.try_emplace(signature, finding.trace_path);
  if (by_place && !is_new) {  // by an earlier call
    verdict.trace_path = known->second;
    verdict.is_repeated = true;
    remove_trace(finding.trace_path);
    return;
  }
  verdict.trace_path = finding.trace_path;
  verdict.finding = std::move(finding);
}

// One failure may be met on the way to many candidates.
void ActiveTest::keep_failures(std::vector<explore::Finding> failures) {
  for (explore::Finding& finding : failures) {
    const std::string signature = signature_of(finding.run);
    met_.insert(signature);
    if (!confirmed_.contains(signature) && signatures_.insert(signature).second)
      result_.failures.push_back(std::move(finding));
    else
      remove_trace(finding.trace_path);
  }
}

// What was not reproduced may have happened all the same, on the way to something else.
void ActiveTest::confirm_by_others() {
  for (Verdict& verdict : result_.verdicts) {
    if (verdict.end == Verdict::End::kConfirmed) continue;
    const auto is_it = [&](const explore::Finding& finding) {
      return finding.confirmed() && happened_in(verdict.candidate, finding.run, symbolizer_) &&
             (verdict.candidate.kind != Kind::kAtomicity || !serial_.contain(finding.run));
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
      for (const auto* finding : {&other.finding, &other.failure}) {
        if (verdict.end == Verdict::End::kConfirmed || !*finding || !is_it(**finding)) continue;
        verdict.end = Verdict::End::kConfirmed;
        verdict.trace_path = (*finding)->trace_path;
        verdict.is_repeated = true;
      }
    }
  }
}

// What confirms a candidate is no other failure.
void ActiveTest::drop_told_failures() {
  for (const Verdict& verdict : result_.verdicts) {
    for (const auto* finding : {&verdict.finding, &verdict.failure}) {
      if (!*finding) continue;
      const std::string signature = signature_of((*finding)->run);
      std::erase_if(result_.failures, [&](const explore::Finding& other) {
        if (signature_of(other.run) != signature) return false;
        remove_trace(other.trace_path);
        return true;
      });
    }
  }
}

// The run that is shown for it; null if that was in an earlier call.
const session::FailedRun* ActiveTest::shown_run(const Verdict& verdict) const {
  if (verdict.finding) return &verdict.finding->run;
  if (verdict.trace_path.empty()) return nullptr;  // it could not be written
  for (const Verdict& other : result_.verdicts) {
    for (const auto* shown : {&other.finding, &other.failure}) {
      if (*shown && (*shown)->trace_path == verdict.trace_path) return &(*shown)->run;
    }
  }
  return nullptr;
}

// Whether the run fails in the same way as with a candidate of one variable, and what that one is
// about happened in it, too.
bool ActiveTest::is_explained(const session::FailedRun& run) {
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

// Variables that are used near to each other make many candidates of two. Those that a failure does
// not need are no bugs of their own.
void ActiveTest::drop_explained() {
  std::vector<Verdict*> explained;
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
        store(*heir);
      } else {
        remove_trace(verdict->trace_path);
      }
    }
    verdict->finding.reset();
    verdict->trace_path.clear();
    verdict->is_repeated = false;
    verdict->is_explained = true;
    store(*verdict);
  }
}

}  // namespace snag::active
