#include "runtime/server/damage.h"

#include <string.h>

namespace snag::rt {
namespace {

// The counters that only the server changes, between the runs.
bool same_counters(const Live& live, const Live& before) {
  return live.runs == before.runs && live.failures == before.failures &&
         live.cut_runs == before.cut_runs && live.total_steps == before.total_steps &&
         live.distinct_orders == before.distinct_orders && live.max_threads == before.max_threads &&
         live.space_exhausted == before.space_exhausted && live.bound_hit == before.bound_hit &&
         live.backend == before.backend;
}

// What the run itself writes can only be judged by what it can be.
bool is_plausible(const Shared* shared) {
  const Run& run = shared->run;
  return run.end <= RunEnd::kDiverged && run.steps <= shared->step_capacity &&
         run.choices <= kMaxChoices && run.threads <= kMaxThreads &&
         is_failure_kind(run.failure.kind) && run.failure.threads <= kMaxThreads &&
         shared->live.point_count <= kMaxPoints &&
         shared->live.lock_order_count <= kMaxLockOrders &&
         shared->live.late_wakeup_count <= kMaxLateWakeups && shared->live.waited_for_event <= 1 &&
         shared->module_count <= kMaxModules;
}

}  // namespace

DamageCheck::Header DamageCheck::header_of(const Shared* shared) {
  return {shared->magic,   shared->size,        shared->step_capacity, shared->stretch_capacity,
          shared->version, shared->module_count};
}

void DamageCheck::remember(const Shared* shared) {
  header_ = header_of(shared);
  memcpy(config_, &shared->config, sizeof config_);
  memcpy(live_, static_cast<const void*>(&shared->live), sizeof live_);
  memcpy(modules_, shared->modules, header_.module_count * sizeof(Module));
  const Run& run = shared->run;
  number_ = run.number;
  seed_ = run.seed;
  points_used_ = run.points_used;
  contexts_ = run.contexts;
}

void DamageCheck::leave_what_can_be_true(Shared* shared) const {
  Run& run = shared->run;
  // Was the failure recorded after the damage was done?
  if (run.end != RunEnd::kFailed || run.failure_seal != seal_of(*shared) ||
      !is_failure_kind(run.failure.kind)) {
    run.end = RunEnd::kRunning;
    run.failure = {};
  }
  run.number = number_;
  run.seed = seed_;
  run.points_used = points_used_;
  run.contexts = contexts_;
  if (run.steps > shared->step_capacity) run.steps = 0;
  if (run.choices > kMaxChoices) run.choices = 0;
  if (run.threads > kMaxThreads) run.threads = run.failure.threads;
  run.race_seen = run.pair_covered = 0;
}

bool DamageCheck::find_and_repair(Shared* shared) const {
  const auto& before = *reinterpret_cast<const Live*>(live_);
  const Header now = header_of(shared);
  if (now.magic == header_.magic && now.version == header_.version && now.size == header_.size &&
      now.step_capacity == header_.step_capacity &&
      now.stretch_capacity == header_.stretch_capacity &&
      memcmp(config_, &shared->config, sizeof config_) == 0 &&
      same_counters(shared->live, before) && is_plausible(shared))
    return false;
  memcpy(static_cast<void*>(&shared->live), live_, sizeof live_);
  memcpy(&shared->config, config_, sizeof config_);
  shared->step_capacity = header_.step_capacity;
  shared->stretch_capacity = header_.stretch_capacity;
  shared->size = header_.size;
  shared->module_count = header_.module_count;
  shared->version = header_.version;
  shared->magic = header_.magic;
  memcpy(shared->modules, modules_, header_.module_count * sizeof(Module));
  leave_what_can_be_true(shared);
  return true;
}

}  // namespace snag::rt
