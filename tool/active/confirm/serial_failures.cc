#include "tool/active/confirm/serial_failures.h"

#include <algorithm>

#include "tool/active/confirm/confirm.h"
#include "tool/session/signature.h"

namespace snag::active {
namespace {

constexpr std::uint64_t kRuns = 40;
// Programs with a spinning thread would use any number of steps.
constexpr std::uint64_t kSteps = 200'000;

}  // namespace

std::string Signatures::of(const session::FailedRun& run) const {
  std::string signature = session::failure_signature(run, symbolizer_);
  if (run.kind != FailureKind::kExit) return signature;
  for (const std::string& location : counted_checks_) {
    if (names(run.output, location)) signature += " " + location;
  }
  return signature;
}

std::optional<std::set<std::string>> SerialFailures::find() const {
  std::set<std::string> found;
  explore::ExploreOptions explore = explore_;
  explore.settings.strategy = StrategyKind::kDfs;
  explore.settings.preemption_bound = 0;
  explore.runs = kRuns;
  explore.time = {};
  explore.settings.max_steps = std::min(explore.settings.max_steps, kSteps);
  explore.settings.races = Races::kOff;
  explore.settings.lock_order = false;
  explore.settings.late_wakeups = LateWakeups::kOff;
  explore.keep_going = true;
  explore.keep_output = signatures_.need_output();
  explore.is_known = [&](const session::FailedRun& run) {
    found.insert(signatures_.of(run));
    return true;
  };
  explore::ExploreHooks hooks;
  hooks.should_stop = should_stop_;
  const explore::ExploreResult explored = explore::Explorer(explore, symbolizer_, hooks).explore();
  if (explored.interrupted || explored.error) return std::nullopt;
  return found;
}

bool SerialFailures::contain(const session::FailedRun& run) {
  if (!is_asked_) known_ = find();
  is_asked_ = true;
  return !known_ || known_->contains(signatures_.of(run));
}

}  // namespace snag::active
