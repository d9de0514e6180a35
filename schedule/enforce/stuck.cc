#include "schedule/enforce/stuck.h"

#include "schedule/enforce/enforcer_state.h"
#include "schedule/enforce/gate.h"
#include "schedule/enforce/kernel_state.h"
#include "schedule/enforce/sleepers.h"
#include "schedule/enforce/watchdog.h"

namespace snag::schedule {
namespace {

bool is_waiting_for_good(const Wait& wait) {
  return wait.deadline == kNever && !wait.shared && wait.kind != WaitKind::kSleep &&
         wait.kind != WaitKind::kOutside && wait.kind != WaitKind::kKernel;
}

// Whether all threads have reported that they wait forever.
bool nobody_runs(int& count) {
  for (const Thread* t = first_thread(); t; t = t->next) {
    if (t->ended) continue;
    ++count;
    if (t->in_snag) continue;
    if (t->waits_in.load(std::memory_order_acquire) == WaitKind::kNone || t->leaving ||
        !is_waiting_for_good(t->wait))
      return false;
    if (t->wait.kind == WaitKind::kJoin &&
        (!t->wait.object || static_cast<const Thread*>(t->wait.object)->ended))
      return false;
    if (is_being_woken(t) || (t->wait.kind == WaitKind::kMutex && is_free(t->wait.object)))
      return false;
  }
  return true;
}

// Whether they all sleep: a signal or a cancellation may have woken one, so the kernel decides.
bool all_sleep() {
  for (Thread* t = first_thread(); t; t = t->next) {
    if (t->ended || t->in_snag) continue;
    if (!resolve(t) || kernel_state_of(t, t->wait) != KernelState::kAsleep) return false;
  }
  return true;
}

// Finds out whether no thread can go on. Only the watchdog asks, which costs the program nothing,
// and it asks several times: a thread that was woken may still look asleep for a moment.
void check_stuck() {
  constexpr int kLooks = 4;
  int threads = 0;
  const bool changed = active->last_change != active->stuck_since;
  active->stuck_since = active->last_change;
  if (changed || !nobody_runs(threads) || !all_sleep()) {
    active->stuck_looks = 0;
    return;
  }
  if (++active->stuck_looks < kLooks) return;
  const std::size_t before = active->waiting.size();
  let_go_on();  // by now more may be known
  if (active->waiting.size() != before || has_unknown_tasks(threads + own_tasks())) return;
  if (active->waiting.empty()) {
    std::string text;
    for (const std::string& problem : active->problems) text += problem + "\n";
    die_of(text + deadlock_text(situation()));
  }
  if (!active->released) release_all(infeasible_text(situation()));
}

}  // namespace

void check_progress() {
  Critical critical;
  if (!active) return;
  // A debugger has stopped the process, or it had no processor: that does not count as waiting.
  constexpr std::int64_t kLongestPause = 500'000'000;
  const std::int64_t pause = now() - active->watched_at;
  if (pause > kLongestPause) active->last_change += pause;
  active->watched_at = now();
  find_sleepers();
  let_go_on();
  check_stuck();
  const double quiet = static_cast<double>(now() - active->last_change) * 1e-9;
  if (!active->released && !active->waiting.empty() && quiet >= active->settings.time_limit)
    release_all(time_limit_text(situation(), active->settings.time_limit));
}

void forget_schedule() {
  __atomic_store_n(&snag_schedule_generation, 0u, __ATOMIC_RELEASE);
  active = nullptr;
}

}  // namespace snag::schedule
