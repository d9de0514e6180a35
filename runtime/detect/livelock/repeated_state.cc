#include "runtime/detect/livelock/repeated_state.h"

#include <signal.h>
#include <stdio.h>
#include <unwind.h>

#include <new>

#include "arch/arch.h"
#include "protocol/access_groups.h"
#include "protocol/loop_steps.h"
#include "runtime/base/modules.h"
#include "runtime/detect/livelock/program_state.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/scheduler_core.h"
#include "runtime/sched/strategy.h"

namespace snag::rt {
namespace {

// Where a thread is in the program: what lies below in its stack is the runtime's.
struct Frame {
  bool known;
  std::uint64_t pc, stack_pointer;
  std::uint64_t registers[kSavedRegisterCount];
};

_Unwind_Reason_Code look_for_program(_Unwind_Context* context, void* argument) {
  auto* frame = static_cast<Frame*>(argument);
  const auto pc = static_cast<std::uint64_t>(_Unwind_GetIP(context));
  if (pc - runtime_code().begin < runtime_code().size) return _URC_NO_REASON;
  frame->pc = pc;
  frame->stack_pointer = static_cast<std::uint64_t>(_Unwind_GetCFA(context));
  for (int i = 0; i < kSavedRegisterCount; ++i)
    frame->registers[i] = _Unwind_GetGR(context, kSavedRegisters[i]);
  frame->known = true;
  return _URC_END_OF_STACK;
}

constinit Frame frames[kMaxThreads] = {};

// Of the current thread.
void find_frame(Tid tid) {
  frames[tid].known = false;
  controlled = false;  // the unwinder calls pthread_once
  _Unwind_Backtrace(look_for_program, &frames[tid]);
  controlled = true;
}

// Operations whose whole effect is on memory.
bool is_in_memory(OpKind kind) {
  switch (kind) {
    case OpKind::kRead:
    case OpKind::kWrite:
    case OpKind::kAtomicLoad:
    case OpKind::kAtomicStore:
    case OpKind::kAtomicRmw:
    case OpKind::kFence:
    case OpKind::kMutexLock:
    case OpKind::kMutexTryLock:
    case OpKind::kMutexUnlock:
    case OpKind::kRwReadLock:
    case OpKind::kRwWriteLock:
    case OpKind::kRwTryLock:
    case OpKind::kRwUnlock:
    case OpKind::kSpinLock:
    case OpKind::kSpinUnlock:
    case OpKind::kYield:
      return true;
    default:
      return false;
  }
}

// Whether the operation, about to happen, has an argument that is neither its object nor anywhere
// in the program's registers and memory.
bool has_value(OpKind kind) { return kind == OpKind::kAtomicStore || kind == OpKind::kAtomicRmw; }

// The only variable of this kind that changes under control. (It says which of the hooks' states
// are out of date: all of them may always be.)
void hide_own_thread_locals() {
  const auto offset = reinterpret_cast<std::uint64_t>(&__snag_thread.epoch) - thread_pointer();
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread& t = sched.threads[i];
    if (t.state == Thread::kFinished) continue;
    *reinterpret_cast<std::uint64_t*>(t.context->thread_pointer + offset) = 0;
  }
}

// Random, and therefore fair: a loop that ends as soon as the threads get out of step ends.
class FairWalk final : public Strategy {
 public:
  explicit FairWalk(StrategyKind kind) : Strategy(kind), seen_(sched.step) {}

  void begin(const RunPlan&) override {}
  std::uint32_t choose(const World&, std::uint32_t) override { return 0; }
  Tid pick(const World& world) override;

 private:
  // The places at which memory is looked at, how often, and the steps between two looks. A loop
  // that the threads leave sooner or later gets the shortest chance to end, besides all steps
  // before.
  static constexpr std::uint32_t kAnchors = 16, kMostVisits = 96;
  static constexpr std::uint64_t kShortest = 1'000, kPause = 50;

  struct Visit {
    StateHash where, state;
    std::uint64_t step;
  };

  void look_at_new_steps();
  void look_at_state(const World& world);
  bool hash_places(StateHash& hash) const;
  bool is_fair_since(std::uint64_t step) const;
  static StateHash hash_state(const StateHash& where, const Frame* frames);

  Random random_{0x6a09e667};
  std::uint64_t seen_;
  std::uint64_t next_look_ = 0;
  std::uint32_t anchor_count_ = 0, visit_count_ = 0;
  StateHash anchors_[kAnchors];
  Visit visits_[kMostVisits];
};

// Steps after which the thread last took one, and last could have.
constinit std::uint64_t stepped[kMaxThreads], enabled[kMaxThreads];

void FairWalk::look_at_new_steps() {
  for (; seen_ < sched.step; ++seen_) {
    const Step& step = sched.log[seen_];
    if (!is_in_memory(step.kind)) fail_cut_short();
    stepped[step.thread] = seen_ + 1;
  }
  if (sched.timed || sched.externals || sched.has_children || sched.process_ends) fail_cut_short();
}

// Everything but memory.
bool FairWalk::hash_places(StateHash& hash) const {
  hash.add(static_cast<std::uint64_t>(sched.now));
  hash.add(sched.thread_count);
  Random random = sched.program_random;
  hash.add(random.next());
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread& t = sched.threads[i];
    hash.add(t.state);
    if (t.state == Thread::kFinished) continue;
    if (t.pending_signals != 0 || t.cancel_pending || t.pinned != 0) return false;
    const Op& op = sched.pending[i];
    const Frame& frame = frames[i];
    if (t.state == Thread::kRunnable && (!frame.known || has_value(op.kind))) return false;
    hash.add(static_cast<std::uint64_t>(op.kind));
    hash.add(op.object + op.offset);
    hash.add(op.pc);
    hash.add(frame.known);
    hash.add(frame.pc);
    hash.add(frame.stack_pointer);
    for (const std::uint64_t value : frame.registers) hash.add(value);
    hash.add(t.signal_mask);
    hash.add(t.pinned_to);
    for (const char c : t.name) hash.add(static_cast<unsigned char>(c));
    hash.add(t.object ? t.object->address : 0);
    hash.add(t.object ? t.next_waiter->tid : kNoTid);
    hash.add(t.object ? t.object->waiters->tid : kNoTid);
    hash.add(t.held_count);
    for (std::uint32_t k = 0; k < t.held_count && k < kMaxHeld; ++k)
      hash.add(t.tables->held[k]->address);
  }
  return true;
}

StateHash FairWalk::hash_state(const StateHash& where, const Frame* frames) {
  hide_own_thread_locals();
  StateHash hash = where;
  if (!hash_program_memory(hash)) fail_cut_short();
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread& t = sched.threads[i];
    if (t.state == Thread::kFinished) continue;
    const auto stopped = reinterpret_cast<std::uint64_t>(t.context->stack_pointer);
    hash_stack(hash, frames[i].known ? frames[i].stack_pointer : stopped);
  }
  return hash;
}

// Whether each thread that could go on did.
bool FairWalk::is_fair_since(std::uint64_t step) const {
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const bool could = enabled[i] > step || sched.threads[i].state == Thread::kRunnable;
    if (could && stepped[i] <= step) return false;
  }
  return true;
}

void FairWalk::look_at_state(const World& world) {
  if (world.step < next_look_) return;
  StateHash where;
  if (!hash_places(where)) return;
  bool is_anchor = false;
  for (std::uint32_t i = 0; i < anchor_count_; ++i) is_anchor |= anchors_[i] == where;
  if (!is_anchor) {
    if (anchor_count_ == kAnchors) return;
    anchors_[anchor_count_++] = where;
  }
  next_look_ = world.step + kPause;
  const Visit now{where, hash_state(where, frames), world.step};
  for (std::uint32_t i = 0; i < visit_count_; ++i) {
    const Visit& before = visits_[i];
    if (before.state != now.state || now.step - before.step < kShortest ||
        !is_fair_since(before.step))
      continue;
    char message[200];
    snprintf(message, sizeof message,
             "the threads go round in a loop: after %lu steps, in which each of them had its turn, "
             "all of them and all memory are as they were",
             now.step - before.step);
    fail_livelock(message);
  }
  if (visit_count_ == kMostVisits) fail_cut_short();
  visits_[visit_count_++] = now;
}

Tid FairWalk::pick(const World& world) {
  look_at_new_steps();
  const Tid current = sched.current->tid;
  find_frame(current);
  Tid able[kMaxThreads];
  std::uint32_t count = 0;
  for (const Tid tid : world.enabled) {
    if (world.timeout[tid] != 0) continue;
    able[count++] = tid;
    enabled[tid] = world.step + 1;
  }
  if (count == 0) fail_cut_short();
  look_at_state(world);
  return able[random_.below(count)];
}

// Whether a handler of the program may run at any moment.
bool handles_signals() {
  constexpr int kOwn[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGABRT, SIGXCPU};
  for (int signal = 1; signal <= 64; ++signal) {
    bool is_own = signal == 32 || signal == 33;  // libc's
    for (const int own : kOwn) is_own |= own == signal;
    struct {
      std::uint64_t handler, flags, restorer, mask;
    } action{};
    if (is_own || raw_syscall(SYS_rt_sigaction, signal, 0, as_arg(&action), 8) != 0) continue;
    if (action.handler > 1) return true;  // neither the default nor ignored
  }
  return false;
}

bool can_look() {
  if (sched.checks_loop || sched.systematic || !switches_stacks || sched.timed || sched.externals ||
      sched.has_children || sched.process_ends ||
      sched.step + kLoopSteps > sched.shared->step_capacity || handles_signals())
    return false;
  // A signal that is blocked kills when it must be delivered.
  constexpr std::uint64_t kFaults = 1ull << (SIGSYS - 1) | 1ull << (SIGSEGV - 1);
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread& t = sched.threads[i];
    if (t.state == Thread::kFinished) continue;
    if (t.pending_signals != 0 || t.cancel_pending || t.pinned != 0 ||
        (t.context->special && i != 0) || (t.signal_mask & kFaults) != 0 ||
        t.signal_mask != sched.current->signal_mask)
      return false;
  }
  return true;
}

alignas(FairWalk) constinit unsigned char walk_memory[sizeof(FairWalk)]{};

}  // namespace

bool look_for_repeated_state() {
  if (!can_look() || !open_program_state()) return false;
  find_frame(sched.current->tid);  // for the first time it calls the system
  sched.checks_loop = true;
  assume_cut_short();
  if (!sched.shared->config.in_place && !forbid_outside()) return false;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    sched.threads[i].burst = 0;
    frames[i] = {};
    stepped[i] = enabled[i] = 0;
  }
  release_tired();
  release_spinners();
  sched.strategy = new (walk_memory) FairWalk(sched.strategy->kind);
  sched.ask_rarely = false;
  sched.step_limit = sched.step + kLoopSteps - 1;
  end_quick_steps();
  return true;
}

}  // namespace snag::rt
