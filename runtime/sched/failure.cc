#include "runtime/sched/failure.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unwind.h>

#include "arch/arch.h"
#include "protocol/damage.h"
#include "runtime/base/modules.h"
#include "runtime/base/real.h"
#include "runtime/sched/call_stack.h"
#include "runtime/sched/debugger_tables.h"
#include "runtime/sched/lock_text.h"
#include "runtime/sched/observer.h"
#include "runtime/sched/sync_objects.h"
#include "runtime/sched/upcalls.h"

// The C++ runtime, if the program has one.
extern "C" __attribute__((weak)) void* __cxa_current_exception_type();
using TerminateHandler = void (*)();
extern "C" __attribute__((weak))
TerminateHandler snag_set_terminate(TerminateHandler) asm("_ZSt13set_terminatePFvvE");

namespace snag::rt {
namespace {

constexpr const char* kCutShortText =
    "the run took more steps than max-steps allows; it may be endless, or only long";
constinit bool failing = false;
constinit TerminateHandler previous_terminate = nullptr;
constinit char exception_message[256];
constinit std::uint64_t throw_pc = 0;

// The thread that keeps others from the object: its owner, or one of its readers. Prefers a reader
// that waits for a lock itself, since that one will not release it.
Tid holder_of(const SyncObject* object) {
  if (object->owner != kNoTid || object->what != LockKind::kRwLock || object->count == 0)
    return object->owner;
  Tid reader = kNoTid;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread* t = &sched.threads[i];
    if (!holds(t, object)) continue;
    if (t->state == Thread::kBlocked && t->can_proceed) return t->tid;
    if (reader == kNoTid) reader = t->tid;
  }
  return reader;
}

void mark_cycle(Thread* t) {
  Thread* u = t;
  do {
    sched.shared->threads[u->tid].in_cycle = 1;
    u = &sched.threads[holder_of(u->object)];
  } while (u != t);
}

void report_thread(const Thread* t, std::uint64_t pc) {
  ThreadReport& report = sched.shared->threads[t->tid];
  report = {};
  report.thread = t->tid;
  report.creator = t->creator;
  report.owner = kNoTid;
  report.hint_thread = kNoTid;
  Op pending = sched.pending[t->tid];
  // A quick step is only in the log, not in `pending`.
  if (t == sched.current && sched.quick_until != 0 && sched.step != 0) {
    const Step& last = sched.log[sched.step - 1];
    const auto offset = static_cast<std::uint8_t>(address_of(last) - last.object);
    pending = {last.kind, last.object, last.pc, offset};
  }
  report.pending = pending.kind;
  report.pending_pc = display_pc(t, pending.pc);
  report.object = pending.object;
  report.offset = pending.offset;
  report.timed = t->timed;
  memcpy(report.name, t->name, sizeof report.name);
  if (t->state == Thread::kFinished) {
    report.status = ThreadStatus::kFinished;
    return;
  }
  report.stack_begin = t->context->stack_begin;
  report.stack_size = t->context->stack_size;
  report.status = t->state == Thread::kRunnable ? ThreadStatus::kRunnable
                  : t->external                 ? ThreadStatus::kExternal
                  : t->object                   ? ThreadStatus::kBlocked
                                                : ThreadStatus::kSleeping;
  if (t->state == Thread::kBlocked && t->object) {
    report.owner = holder_of(t->object);
    report.object = t->object->address;
    report.offset = 0;
    report.hint_pc = t->object->hint_pc;
    report.hint_thread = t->object->hint_pc ? t->object->hint_thread : kNoTid;
  }
  if (t->state == Thread::kBlocked && t->external && upcalls.last_write_for &&
      has_trait(sched.shared->run.failure.kind, kThreadsWait)) {
    const LastWrite write = upcalls.last_write_for(t);
    report.hint_pc = write.pc;
    report.hint_thread = write.thread;
  }
  std::uint16_t depth = 0;
  if (pc == 0) pc = report.pending_pc;
  if (pc != 0) report.stack[depth++] = pc;
  std::uint32_t top = t->depth < kCallStackDepth ? t->depth : kCallStackDepth;
  while (top > 0 && depth < kMaxStackDepth) report.stack[depth++] = t->tables->calls[--top];
  report.depth = depth;
}

void record(FailureKind kind, int detail, const char* message, std::uint64_t pc,
            std::uint64_t fault_address) {
  if (sched.checks_loop && kind != FailureKind::kLivelock) {
    kind = FailureKind::kCutShort;  // the run was over before
    message = kCutShortText;
  }
  observe_failure(fault_address);
  Failure& failure = sched.shared->run.failure;
  failure.kind = kind;
  failure.detail = detail;
  failure.thread = sched.current ? sched.current->tid : kNoTid;
  failure.fault_address = fault_address;
  strncpy(failure.message, message, sizeof failure.message - 1);
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    report_thread(&sched.threads[i], &sched.threads[i] == sched.current ? pc : 0);
  }
  failure.threads = sched.thread_count;
  sched.shared->run.threads = sched.thread_count;
  sched.shared->run.virtual_time_ns = sched.now;
}

// The lock of the thread's last attempts, if it does nothing but try to take one.
const SyncObject* lock_tried_by(const Thread* t) {
  constexpr std::uint32_t kMostOwnSteps = 16, kMostSteps = 100'000;
  const SyncObject* lock = nullptr;
  std::uint32_t own = 0;
  for (std::uint64_t i = sched.step, end = i > kMostSteps ? i - kMostSteps : 0;
       i > end && own < kMostOwnSteps;) {
    const Step& step = sched.log[--i];
    if (step.thread != t->tid || step.kind == OpKind::kYield) continue;
    ++own;
    // (A thread that waits for a spin lock is blocked: that it can run means that it only tries.)
    if (step.kind != OpKind::kMutexTryLock && step.kind != OpKind::kRwTryLock &&
        step.kind != OpKind::kSpinLock)
      return nullptr;
    const SyncObject* tried = sync_object(reinterpret_cast<const void*>(step.object));
    if (lock != nullptr && tried != lock) return nullptr;
    lock = tried;
  }
  return lock;
}

void tell_strategy_of_deadlock() {
  failing = true;
  sched.world.enabled = {sched.enabled, sched.enabled_count};
  sched.world.step = sched.step;
  if (sched.strategy->search != nullptr) sched.strategy->search->stuck(sched.world);
}

[[noreturn]] void end_failed_run(RunEnd end = RunEnd::kFailed) {
  Run& run = sched.shared->run;
  // Once more: the program may have written over them.
  if (sched.strategy != nullptr) run.strategy = sched.strategy->kind;
  run.steps.store(sched.step, std::memory_order_relaxed);
  run.failure_seal = seal_of(*sched.shared);
  sched.shared->run.end.store(end, std::memory_order_release);
  if (sched.shared->config.in_place) snag_debugger_failed();
  raw_exit_process(kFailureStatus);
}

void on_fatal_signal(int signal, siginfo_t* info, void* context) {
  if (sched.checks_loop) {
    if (!failing) fail_cut_short();
    if (signal == SIGSYS) return set_system_call_result(context, -ENOSYS);
  }
  if (!controlled || failing) {
    ::signal(signal, SIG_DFL);
    return;  // the instruction is executed again, or the default action follows
  }
  failing = true;
  const auto pc = interrupted_pc(context);
  char message[160];
  const bool fault = signal == SIGSEGV || signal == SIGBUS;
  const auto address = fault ? reinterpret_cast<std::uint64_t>(info->si_addr) : 0;
  const auto stack = interrupted_stack_pointer(context);
  if (fault && address - (stack - 65536) < 131072) {
    snprintf(message, sizeof message, "stack overflow");
  } else if (fault) {
    snprintf(message, sizeof message, "%s at address 0x%lx",
             signal == SIGSEGV ? "invalid memory access" : "bus error", address);
  } else {
    snprintf(message, sizeof message, "%s", strsignal(signal));
  }
  if (signal == SIGABRT) {
    // Not through our abort: libc itself gave up (a damaged heap, a broken invariant), and printed
    // the reason to stderr.
    record(FailureKind::kAbort, 0, "aborted by a library; its output says why", 0, 0);
  } else {
    // Unlike the addresses of operations, this one is not that behind a call: reports subtract one.
    record(FailureKind::kSignal, signal, message, pc + 1, address);
  }
  end_failed_run();
}

// The tool's watchdog found that the run makes no progress.
void on_watchdog(int, siginfo_t*, void* context) {
  if (!controlled || failing) return;
  failing = true;
  const bool outside = sched.externals != nullptr && sched.enabled_count == 0;
  record(FailureKind::kHang, 0,
         outside ? "waiting for something outside the program that did not come"
                 : "no schedule point was reached any more",
         outside ? 0 : interrupted_pc(context) + 1, 0);
  end_failed_run();
}

// Where the exception came from: nothing has been unwound yet, so the frames are all there. The
// first of the program behind those of the C++ runtime (this handler's own frames lie in front of
// them).
struct ThrowSearch {
  bool left_program = false;
  std::uint64_t pc = 0;
};
_Unwind_Reason_Code look_for_throw(_Unwind_Context* context, void* opaque) {
  auto* search = static_cast<ThrowSearch*>(opaque);
  const auto pc = static_cast<std::uint64_t>(_Unwind_GetIP(context));
  const bool in_program = pc - code_ranges[0].begin < code_ranges[0].size;
  if (!in_program) {
    search->left_program = true;
  } else if (search->left_program) {
    search->pc = pc;
    return _URC_END_OF_STACK;
  }
  return _URC_NO_REASON;
}

void on_terminate() {
  if (controlled && __cxa_current_exception_type) {
    if (auto* type = static_cast<void**>(__cxa_current_exception_type())) {
      // The second word of a type_info is its mangled name; the tool makes it readable.
      const char* name = static_cast<const char*>(type[1]);
      snprintf(exception_message, sizeof exception_message, "uncaught exception of type %s",
               name + (*name == '*'));
      ThrowSearch search;
      _Unwind_Backtrace(look_for_throw, &search);
      throw_pc = search.pc;
    } else {
      snprintf(exception_message, sizeof exception_message, "std::terminate was called");
    }
  }
  previous_terminate();
  real.abort();
}

}  // namespace

void fail(FailureKind kind, int detail, const char* message, std::uint64_t pc) {
  if (!sched.shared || failing) raw_exit_process(kFailureStatus);
  failing = true;
  record(kind, detail, message, pc, 0);
  end_failed_run();
}

void fail_aborted(std::uint64_t pc) {
  if (exception_message[0]) fail(FailureKind::kException, 0, exception_message, throw_pc);
  fail(FailureKind::kAbort, 0, "abort was called", pc);
}

void fail_afterwards(FailureKind kind, const char* message, const Thread* t,
                     const LockPlace& place) {
  failing = true;
  record(kind, 0, message, 0, 0);
  sched.shared->run.failure.thread = t->tid;
  ThreadReport& report = sched.shared->threads[t->tid];
  report.status = ThreadStatus::kRunnable;
  while (report.depth < kStepFrames && place.pcs[report.depth] != 0) {
    report.stack[report.depth] = place.pcs[report.depth];
    ++report.depth;
  }
  end_failed_run();
}

void fail_self_deadlock(Thread* t) {
  tell_strategy_of_deadlock();
  const SyncObject* object = t->object;
  char message[400];
  snprintf(message, sizeof message, "T%u waits for %s that it holds itself%s%s", t->tid,
           name_of(object->what), object->owner == kNoTid ? " as a reader" : "",
           taken_at(object, t->tid).text);
  sched.shared->run.failure.lock = object->address;
  record(FailureKind::kDeadlock, 0, message, 0, 0);
  sched.shared->threads[t->tid].in_cycle = 1;
  end_failed_run();
}

void fail_deadlock(Thread* cycle) {
  for (std::uint32_t i = 0; !cycle && i < sched.thread_count; ++i) {
    if (on_cycle(&sched.threads[i])) cycle = &sched.threads[i];
  }
  if (cycle && cycle->object->owner == cycle->tid && cycle->object->what != LockKind::kNone)
    fail_self_deadlock(cycle);
  tell_strategy_of_deadlock();
  std::uint32_t waiting = 0;
  const Thread* orphan = nullptr;  // waits for a lock that no thread will release
  bool lost = false;
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    waiting += t->state == Thread::kBlocked;
    if (t->state == Thread::kBlocked && t->object && t->object->what != LockKind::kNone &&
        t->object->owner != kNoTid && sched.threads[t->object->owner].state == Thread::kFinished)
      orphan = t;
    if (t->state == Thread::kBlocked && !t->can_proceed && t->object && t->object->hint_pc != 0)
      lost = true;
  }
  char message[400];
  if (cycle) {
    snprintf(message, sizeof message, "threads wait for each other in a cycle");
  } else if (lost) {
    snprintf(message, sizeof message,
             "a signal came when no thread was waiting for it, and now a thread waits forever");
  } else if (orphan) {
    snprintf(message, sizeof message, "T%u waits for %s that T%u still held when it ended%s",
             orphan->tid, name_of(orphan->object->what), orphan->object->owner,
             taken_at(orphan->object, orphan->object->owner).text);
  } else {
    char threads[40] = "the only remaining thread waits";
    if (waiting != 1) snprintf(threads, sizeof threads, "all %u remaining threads wait", waiting);
    snprintf(
        message, sizeof message, "%s, and no thread is left to wake %s%s", threads,
        waiting == 1 ? "it" : "them",
        sched.externals == nullptr
            ? ""
            : ": nothing outside the program can write to the descriptors that are waited for");
  }
  record(cycle || !lost ? FailureKind::kDeadlock : FailureKind::kLostWakeup, 0, message, 0, 0);
  if (cycle) mark_cycle(cycle);
  end_failed_run();
}

bool on_cycle(Thread* t) {
  Thread* u = t;
  for (std::uint32_t i = 0; i <= sched.thread_count; ++i) {
    if (u->state != Thread::kBlocked || !u->can_proceed || !u->object) return false;
    const Tid holder = holder_of(u->object);
    if (holder == kNoTid) return false;
    u = &sched.threads[holder];
    if (u == t) return true;
  }
  return false;
}

void fail_livelock(const char* why) {
  char message[500];
  for (std::uint32_t i = 0; i < sched.thread_count; ++i) {
    const Thread* t = &sched.threads[i];
    if (t->state != Thread::kRunnable) continue;
    const SyncObject* lock = lock_tried_by(t);
    if (lock == nullptr || lock->owner == kNoTid) continue;
    const bool is_self = lock->owner == t->tid;
    if (!is_self && sched.threads[lock->owner].state != Thread::kFinished) continue;
    char holder[40] = "it holds itself";
    if (!is_self) snprintf(holder, sizeof holder, "T%u still held when it ended", lock->owner);
    snprintf(message, sizeof message, "T%u tries again and again to take %s that %s%s", t->tid,
             name_of(lock->what), holder, taken_at(lock, lock->owner).text);
    sched.shared->run.failure.lock = lock->address;
    fail(FailureKind::kLivelock, 0, message);
  }
  fail(FailureKind::kLivelock, 0, why);
}

void fail_cut_short() { fail(FailureKind::kCutShort, 0, kCutShortText); }

void assume_cut_short() {
  Run& run = sched.shared->run;
  run.failure.kind = FailureKind::kCutShort;
  strcpy(run.failure.message, kCutShortText);
  run.steps.store(sched.step, std::memory_order_relaxed);
  run.failure_seal = seal_of(*sched.shared);
  run.end.store(RunEnd::kFailed, std::memory_order_release);
}

void fail_diverged(Tid wanted) {
  failing = true;
  char message[200];
  if (wanted == kNoTid) {
    snprintf(message, sizeof message, "the recorded schedule is over, but the program is not");
  } else if (wanted >= sched.thread_count) {
    snprintf(message, sizeof message,
             "the recorded schedule continues with thread %u, which does not exist here", wanted);
  } else {
    snprintf(message, sizeof message,
             "the recorded schedule continues with thread %u, which cannot run here", wanted);
  }
  record(FailureKind::kNone, 0, message, 0, 0);
  end_failed_run(RunEnd::kDiverged);
}

void check_failed(const char* condition, const char* message, const char* file, int line) {
  char text[400];
  snprintf(text, sizeof text, "%s (%s, %s:%d)", message, condition, file, line);
  if (controlled) fail(FailureKind::kInternal, 0, text);
  const int length = snprintf(text, sizeof text, "snag: internal error: %s (%s, %s:%d)\n", message,
                              condition, file, line);
  raw_syscall(SYS_write, 2, as_arg(text), length);
  raw_exit_process(70);
}

void count_uncontrolled(Uncontrolled what) {
  sched.shared->live.uncontrolled[static_cast<int>(what)].fetch_add(1, std::memory_order_relaxed);
}

void install_failure_handlers() {
  // An alternate stack, so that an overflow of the program's stack can be reported.
  static constexpr std::size_t kSize = 64 * 1024;
  stack_t stack{};
  stack.ss_sp = mmap(nullptr, kSize, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack.ss_size = kSize;
  raw_syscall(SYS_sigaltstack, as_arg(&stack), 0);
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigfillset(&action.sa_mask);
  action.sa_sigaction = on_fatal_signal;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGSYS, SIGTRAP, SIGABRT})
    ::sigaction(signal, &action, nullptr);
  action.sa_sigaction = on_watchdog;
  ::sigaction(SIGXCPU, &action, nullptr);
}

void install_terminate_handler() {
  if (snag_set_terminate) previous_terminate = snag_set_terminate(on_terminate);
}

}  // namespace snag::rt
