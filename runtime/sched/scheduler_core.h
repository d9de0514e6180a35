// The heart of the scheduler, shared by scheduler.cc (steps) and waiting.cc (threads that cannot go
// on). Inline: this is the path that every step takes.
#pragma once

#include "runtime/sched/failure.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/scheduler_state.h"
#include "runtime/sched/signal_mask.h"
#include "runtime/sched/upcalls.h"

namespace snag::rt {

// Steps that a thread may take in a row while others could. No strategy wants more, but a loop that
// writes something in each iteration looks like progress.
constexpr std::int64_t kMaxStreak = 10'000;

// No thread is enabled: lets time pass, waits for the outside world, or reports that no thread can
// continue. In waiting.cc.
void make_a_thread_ready();
// Something is due at this step: see Scheduler::attention_step. In waiting.cc.
void attend();
// Threads that were stopped after too many steps in a row may run again.
void release_tired();
// The run has taken all the steps that it may take. Returns if it may take some more.
[[gnu::cold]] void out_of_steps();

inline void enable(Thread* t) {
  if (t->slot >= 0 || t->tired) return;
  t->slot = static_cast<std::int32_t>(sched.enabled_count);
  sched.enabled[sched.enabled_count++] = t->tid;
  end_quick_steps();
}

inline void disable(Thread* t) {
  if (t->slot < 0) return;
  const Tid last = sched.enabled[--sched.enabled_count];
  sched.enabled[t->slot] = last;
  sched.threads[last].slot = t->slot;
  t->slot = -1;
  end_quick_steps();
}

inline Thread* pick_next() {
  while (sched.enabled_count == 0) make_a_thread_ready();
  sched.world.enabled = {sched.enabled, sched.enabled_count};
  sched.world.current = sched.current->tid;
  sched.world.current_enabled = sched.current->slot >= 0;
  sched.world.step = sched.step;
  const Tid picked = sched.strategy->pick(sched.world);
  if (__builtin_expect(picked >= sched.thread_count || sched.threads[picked].slot < 0, 0))
    fail_diverged(picked);
  return &sched.threads[picked];
}

inline void resume(Thread* from, Thread* to) {
  sched.current = to;
  end_quick_steps();
  if (__builtin_expect(from->signal_mask != to->signal_mask, 0)) apply_signal_mask(to);
  switch_context(from->context, to->context, to->thread_pointer);
}

// With the step that comes next.
inline void begin_streak() { sched.streak_start = static_cast<std::int64_t>(sched.step) + 1; }

// The only enabled thread may take quick steps, if nothing else needs the slow path. Every change
// that ends this calls end_quick_steps.
inline void allow_quick_steps(const Thread* t) {
  if ((t->spinning | (t->clock_reads != 0) | (sched.spinner_count != 0) | (sched.idle_rounds != 0) |
       sched.observed | t->cancel_pending) != 0)
    return;
  const auto tired = static_cast<std::uint64_t>(sched.streak_start + kMaxStreak);
  sched.quick_until = tired < sched.step_limit ? tired : sched.step_limit;
  if (sched.attention_step < sched.quick_until) sched.quick_until = sched.attention_step;
  // A real signal may come at any moment: if it comes after this check, a later one sees it.
  asm volatile("" ::: "memory");
  if (t->pending_signals != 0) end_quick_steps();
}

inline void attend_if_due() {
  if (__builtin_expect(sched.step >= sched.attention_step, 0)) attend();
}

// Lets the strategy decide who goes next; returns when it is `t`. Returns the step's flags for the
// log: kSilentStep if no other thread could go first. `leave` is called before another thread runs.
template <class Leave>
[[gnu::always_inline]] inline std::uint8_t reschedule(Thread* t, Leave leave) {
  if (__builtin_expect((t->pinned | t->burst) != 0, 0) && t->state == Thread::kRunnable) {
    if (t->burst != 0) --t->burst;
    ++sched.streak_start;  // does not count
    return kSilentStep;
  }
  if (__builtin_expect(static_cast<std::int64_t>(sched.step) - sched.streak_start > kMaxStreak,
                       0)) {
    begin_streak();
    if (t->slot >= 0 && !t->tired) {
      t->tired = true;
      ++sched.tired_count;
      disable(t);
    }
  }
  if (__builtin_expect(t->spinning, 0) && t->slot >= 0) {
    disable(t);
    ++sched.spinner_count;
  }
  attend_if_due();
  // With one thread there is nothing to decide, and not every strategy needs to be asked.
  if (sched.ask_rarely && sched.enabled_count == 1 && t->slot == 0) {
    allow_quick_steps(t);
    return 0;
  }
  Thread* next = pick_next();
  if (next != t) {
    leave();
    begin_streak();
    resume(t, next);
  }
  return 0;
}
[[gnu::always_inline]] inline std::uint8_t reschedule(Thread* t) {
  return reschedule(t, [] {});
}

// `address` and `size`: of the memory access; 0 if the step does not access memory.
inline void log_step(const Thread* t, std::uint8_t flags, const void* address = nullptr,
                     std::uint64_t size = 0) {
  const Op& op = sched.pending[t->tid];
  Step& entry = sched.log[sched.step];
  entry.pc = op.pc;
  entry.object = op.object;
  entry.thread = t->tid;
  entry.kind = op.kind;
  entry.flags = flags;
  entry.caller = t->caller_hint;
  if (__builtin_expect(sched.observed, 0)) observe_step(t, address, size);
  ++sched.step;
  sched.published_steps->store(sched.step, std::memory_order_relaxed);
  if (__builtin_expect(sched.step >= sched.step_limit, 0)) out_of_steps();
}

inline void after_step(Thread* t) {
  if (__builtin_expect((t->pending_signals | t->cancel_pending | t->knows_all) == 0, 1)) return;
  if (t->knows_all) observe_knows_all(t);
  if ((t->pending_signals & ~t->signal_mask) != 0) upcalls.deliver_signals(t);
  if (t->cancel_pending && t->cancel_async) upcalls.test_cancel();
}

}  // namespace snag::rt
