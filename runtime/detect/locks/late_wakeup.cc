#include "runtime/detect/locks/late_wakeup.h"

#include <stdio.h>

#include "runtime/base/modules.h"
#include "runtime/detect/locks/unheard_signal.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/lock_text.h"

namespace snag::rt {

constinit bool late_wakeup_pending = false;

namespace {

constinit LateWakeupReport candidate{};
constinit std::uint64_t candidate_run = 0, candidate_mutex = 0;

std::uint64_t place_of_step(std::uint64_t number) {
  const Step& step = sched.log[number];
  const bool in_program = step.pc - code_ranges[0].begin < code_ranges[0].size;
  return in_program || step.pc == 0 || step.caller == 0 ? step.pc
                                                        : code_ranges[0].begin + step.caller - 1;
}

bool is_told() {
  const std::uint32_t count = sched.shared->live.late_wakeup_count.load(std::memory_order_relaxed);
  for (std::uint32_t i = 0; i < count; ++i) {
    const LateWakeupReport& known = sched.shared->late_wakeups[i];
    if (known.stack[0] == candidate.stack[0] && known.signal_pc == candidate.signal_pc) return true;
  }
  return false;
}

void tell() {
  const std::uint32_t count = sched.shared->live.late_wakeup_count.load(std::memory_order_relaxed);
  if (count >= kMaxLateWakeups || is_told()) return;
  sched.shared->late_wakeups[count] = candidate;
  sched.shared->live.late_wakeup_count.store(count + 1, std::memory_order_release);
}

[[noreturn]] void fail_late() {
  char message[900];
  snprintf(
      message, sizeof message,
      "T%u signalled%s when no thread was waiting; T%u began to wait after that%s, and only its "
      "timeout ended the wait, after %g s; it waited because of a value that it had read%s "
      "before it was written%s",
      candidate.signaller, place_of(" at ", candidate.signal_pc).text, candidate.thread,
      place_of(" at ", candidate.stack[0]).text, static_cast<double>(candidate.waited_ns) / 1e9,
      place_of(" at ", candidate.read_pc).text, place_of(" at ", candidate.written_pc).text);
  fail(FailureKind::kLateWakeup, 0, message);
}

}  // namespace

void note_idle_timeout(const SyncObject* condition, const SyncObject* mutex, std::uint64_t wait,
                       std::int64_t length, std::uint64_t pc) {
  // Its time was up before it began: no time was lost.
  if (length <= 0) return;
  const Step& begin = sched.log[wait];  // another one if a signal handler ran in between
  if (begin.kind != OpKind::kCondWait || begin.thread != sched.current->tid ||
      begin.object != condition->address)
    return;
  const UnheardSignal found =
      find_unheard_signal(sched.log, wait, condition->hint_thread, mutex->address);
  if (!found.found()) return;
  const Thread* t = sched.current;
  candidate = {};
  candidate.thread = t->tid;
  candidate.signaller = condition->hint_thread;
  candidate.condition = condition->address;
  candidate.waited_ns = length;
  candidate.signal_pc = place_of_step(found.signal);
  candidate.word = address_of(sched.log[found.read]);
  candidate.read_pc = place_of_step(found.read);
  candidate.written_pc = place_of_step(found.written);
  std::uint16_t depth = 0;
  candidate.stack[depth++] = display_pc(t, pc);
  std::uint32_t top = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  while (top > 0 && depth < kMaxStackDepth) candidate.stack[depth++] = t->tables->calls[--top];
  candidate.depth = depth;
  candidate_run = sched.run;
  candidate_mutex = mutex->address;
  late_wakeup_pending = true;
}

void late_wakeup_waits(const SyncObject* condition) {
  if (candidate_run != sched.run ||
      (candidate.thread == sched.current->tid && candidate.condition == condition->address))
    late_wakeup_pending = false;
}

void late_wakeup_unlocks(const SyncObject* mutex) {
  if (candidate_run == sched.run) {
    if (candidate.thread != sched.current->tid || candidate_mutex != mutex->address) return;
    if (sched.shared->config.settings.late_wakeups == LateWakeups::kFail) fail_late();
    tell();
  }
  late_wakeup_pending = false;
}

}  // namespace snag::rt
