#include "tool/report/view/preemptions.h"

#include <set>

#include "tool/report/view/step_kinds.h"

namespace snag::report {
namespace {

constexpr std::uint64_t kNone = ~0ull;

}  // namespace

using session::FailedRun;

Preemptions::Preemptions(const FailedRun& run) : marks_(run.steps.size(), false) {
  std::unordered_map<Tid, std::uint64_t> next;  // step of each thread, seen from behind
  std::vector<std::uint64_t> following(run.steps.size(), kNone);
  for (std::uint64_t i = run.steps.size(); i-- > 0;) {
    const auto [entry, is_new] = next.try_emplace(run.steps[i].thread, kNone);
    following[i] = entry->second;
    entry->second = i;
  }
  std::unordered_map<std::uint64_t, Tid> owners;
  std::set<Tid> waiting;  // at condition variables
  for (std::uint64_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    const Tid before = i == 0 ? step.thread : run.steps[i - 1].thread;
    if (before != step.thread && !waiting.contains(before))
      marks_[i] = could_go_on(run, before, following[i - 1], owners);
    if (takes_lock(step.kind)) owners[step.object] = step.thread;
    if (releases_lock(step.kind)) owners.erase(step.object);
    if (step.kind == OpKind::kCondWait) {
      waiting.insert(step.thread);
    } else if (!releases_lock(step.kind)) {
      waiting.erase(step.thread);
    }
  }
}

bool Preemptions::could_go_on(const FailedRun& run, Tid thread, std::uint64_t following,
                              const std::unordered_map<std::uint64_t, Tid>& owners) {
  OpKind kind = OpKind::kNone;
  std::uint64_t object = 0;
  if (following != kNone) {
    kind = run.steps[following].kind;
    object = run.steps[following].object;
  } else if (const ThreadReport* report = run.thread_report(thread)) {
    if (report->status == ThreadStatus::kFinished) return false;
    kind = report->pending;
    object = report->object;
  }
  if (takes_lock(kind)) return !owners.contains(object);
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kCondWait:
    case OpKind::kCondSignal:
    case OpKind::kCondBroadcast:
    case OpKind::kSemPost:
    case OpKind::kFutexWake:
      return true;
    default:
      return false;
  }
}

}  // namespace snag::report
