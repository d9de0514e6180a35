#include "schedule/enforce/gate.h"

#include <algorithm>

#include "schedule/enforce/raw.h"
#include "schedule/enforce/runtime_calls.h"
#include "schedule/enforce/sleepers.h"

namespace snag::schedule {
namespace {

// Under `snag run`: whether some thread can go on that does not wait here.
bool somebody_can_go_on() {
  for (unsigned i = 0; i < snag_runtime_thread_count(); ++i) {
    bool waits_here = false;
    for (const Waiting& waiting : active->waiting)
      if (waiting.thread->runtime_thread == i) waits_here = true;
    if (!waits_here && snag_runtime_can_go_on(i)) return true;
  }
  return false;
}

void wait_in_runtime(Critical& critical, const Thread* self) {
  while (self->word.load() != kGoOn) {
    if (!somebody_can_go_on()) {
      const std::size_t before = active->waiting.size();
      let_go_on();
      if (active->waiting.size() != before) continue;
      snag_runtime_abandon_run();
    }
    critical.pause();
    snag_runtime_let_others_run();
    critical.resume();
    if (self->word.load() != kGoOn) let_go_on();
  }
}

// How long spinning pays: until the awaited event has usually come.
class SpinTime {
 public:
  // Whether the word changed meanwhile.
  bool spin(const Word& word, std::uint32_t value) {
    if (pauses_.load(std::memory_order_relaxed) > 0) {
      pauses_.fetch_sub(1, std::memory_order_relaxed);
      return word.load() != value;
    }
    const std::int64_t time = time_.load(std::memory_order_relaxed);
    const std::int64_t begin = now();
    std::int64_t last = begin;
    while (word.load() == value && last - begin < time) {
      for (int i = 0; i < kSpins && word.load() == value; ++i) relax_processor();
      raw_syscall(
          SYS_sched_yield);  // the thread that this one waits for may need this very processor
      const std::int64_t present = now();
      // The machine is busy with other work. A thread that sleeps is woken before that work, one
      // that yields is not.
      if (present - last > kSlice) pauses_.store(kPauses, std::memory_order_relaxed);
      last = present;
    }
    const bool changed = word.load() != value;
    time_.store(changed ? std::min(2 * time, kLongest) : std::max(time / 2, kShortest),
                std::memory_order_relaxed);
    return changed;
  }

 private:
  static constexpr int kSpins = 16;
  static constexpr std::int64_t kShortest = 1'000;
  static constexpr std::int64_t kLongest = 50'000;  // about as long as a thread takes to start
  static constexpr std::int64_t kSlice = 500'000;
  static constexpr int kPauses = 20;
  std::atomic<std::int64_t> time_{kLongest};
  std::atomic<int> pauses_{0};
};
constinit SpinTime spin_time;

}  // namespace

void happen(const Action& action) {
  active->monitor.happened(action);
  if (is_controlled())
    snag_runtime_note_event();
  else
    active->last_change = now();
}

void wake(Thread* thread, std::uint32_t reason) {
  std::uint32_t expected = kKeepWaiting;
  if (reason == kGoOn)
    thread->word.store(kGoOn);
  else if (!thread->word.compare_exchange_strong(expected, reason))
    return;
  Critical::wake_after(thread->word);
}

void let_go_on() {
  if (active->waiting.empty()) return;
  resolve_all();
  for (std::size_t i = 0; i < active->waiting.size();) {
    const Waiting waiting = active->waiting[i];
    if (!active->released && !active->monitor.may_happen(waiting.action)) {
      ++i;
      continue;
    }
    happen(waiting.action);
    active->waiting.erase(active->waiting.begin() + static_cast<std::ptrdiff_t>(i));
    waiting.thread->in_snag = false;
    wake(waiting.thread, kGoOn);
    if (is_controlled()) snag_runtime_note_event();
    i = 0;
  }
  // One of them checks again until everything is certain.
  if (!active->waiting.empty() && has_unresolved()) wake(active->waiting.front().thread, kLook);
}

void release_all(const std::string& problem) {
  active->problems.push_back(problem);
  active->released = true;
  let_go_on();
}

void wait_in_snag(Critical& critical, Thread* self, const Action& action,
                  const snag_event_site* site) {
  self->word.store(kKeepWaiting);
  self->in_snag = true;
  active->waiting.push_back({self, action, site});
  if (is_controlled()) return wait_in_runtime(critical, self);
  constexpr int kSpins = 32;
  constexpr int kLooks = 10;
  constexpr std::int64_t kFirstPause = 20'000, kLongestPause = 1'000'000;
  int looks = 0;
  std::int64_t pause = kFirstPause;
  while (self->word.load() != kGoOn) {
    const bool look = has_unresolved() && active->waiting.front().thread == self;
    self->word.store(kKeepWaiting);
    critical.release();
    if (!look) {
      // Often it is allowed soon: spinning costs less than sleeping and being woken.
      if (!spin_time.spin(self->word, kKeepWaiting)) wait_on(self->word, kKeepWaiting);
      looks = 0;
      pause = kFirstPause;
    } else if (++looks < kLooks) {
      for (int i = 0; i < kSpins; ++i) relax_processor();
    } else {
      wait_on(self->word, kKeepWaiting, pause);
      if (pause < kLongestPause) pause += pause / 2;
    }
    critical.acquire();
    if (look && self->word.load() != kGoOn) let_go_on();
  }
}

void pass(Critical& critical, Thread* self, const Action& action, const snag_event_site* site) {
  forget_sleep(self);
  resolve_all();
  if (active->settings.mode == Mode::kPassive || active->released ||
      active->monitor.may_happen(action)) {
    happen(action);
    let_go_on();
  } else {
    wait_in_snag(critical, self, action, site);
  }
}

}  // namespace snag::schedule
