// Start-up of the program under test, and the fork server.
//
// The program is started once. When libc and the libraries are ready, and before the first
// constructor of the program itself, it stops here and forks a child for each run; the child
// continues into the program as if nothing had happened. So a run costs a fork instead of an exec
// with all its loading and linking.
#include "runtime/server/server.h"

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include "arch/arch.h"
#include "protocol/random.h"
#include "runtime/base/arena.h"
#include "runtime/base/modules.h"
#include "runtime/base/real.h"
#include "runtime/cover/cover.h"
#include "runtime/detect/livelock/repeated_state.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/library_waits.h"
#include "runtime/interpose/named_allocators.h"
#include "runtime/interpose/own_descriptors.h"
#include "runtime/interpose/signals.h"
#include "runtime/record/changed_files.h"
#include "runtime/record/learn_points.h"
#include "runtime/sched/context.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler.h"
#include "runtime/sched/signal_mask.h"
#include "runtime/sched/start_join.h"
#include "runtime/sched/thread_locals.h"
#include "runtime/sched/upcalls.h"
#include "runtime/server/damage.h"
#include "runtime/server/observers.h"
#include "runtime/server/run_strategy.h"
#include "runtime/server/snapshot.h"

// Tells the tool that a program was built with Snag; read from the file's symbol table.
extern "C" __attribute__((visibility("default"), used)) const std::uint32_t __snag_runtime_version =
    snag::kProtocolId;

extern "C" void snag_resolve_setjmp();

namespace snag::rt {
namespace {

constinit Context main_context{};

constexpr const char* kOtherVersion =
    "the program was built with another version of Snag: build it again";

void set_phase(Shared* shared, Phase phase) {
  shared->live.phase.store(phase, std::memory_order_release);
  futex_wake(&shared->live.phase, 1 << 30);
}

// The memory shared with the tool; null if there is no tool.
constinit Shared* told_shared = nullptr;

[[noreturn]] void refuse(Shared* shared, const char* why) {
  strncpy(shared->live.message, why, sizeof shared->live.message - 1);
  set_phase(shared, Phase::kRefused);
  raw_exit_process(3);
}

void refuse_for_memory() { refuse(told_shared, kNoMemory); }

Shared* map_control(const char* text) {
  char* end = nullptr;
  const long descriptor = strtol(text, &end, 10);
  struct stat info;
  if (*text == 0 || *end != 0 || fstat(static_cast<int>(descriptor), &info) != 0) return nullptr;
  if (info.st_size < static_cast<off_t>(sizeof(Shared))) return nullptr;
  // Between two pages that nobody can access: a program that runs over the end of other memory, or
  // of this, crashes by itself.
  const auto page = static_cast<std::uint64_t>(getpagesize());
  const std::uint64_t size = (static_cast<std::uint64_t>(info.st_size) + page - 1) / page * page;
  void* room =
      mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  void* memory = MAP_FAILED;
  if (room != MAP_FAILED) {
    memory = mmap(static_cast<char*>(room) + page, info.st_size, PROT_READ | PROT_WRITE,
                  MAP_SHARED | MAP_FIXED, static_cast<int>(descriptor), 0);
  }
  raw_syscall(SYS_close, descriptor);
  if (memory == MAP_FAILED) return nullptr;
  auto* shared = static_cast<Shared*>(memory);
  if (shared->magic != kProtocolMagic) return nullptr;
  if (shared->version != kProtocolId) refuse(shared, kOtherVersion);
  return shared;
}

void discard_output() {
  const int null =
      static_cast<int>(raw_syscall(SYS_openat, AT_FDCWD, as_arg("/dev/null"), O_RDWR | O_CLOEXEC));
  if (null < 0) return;
  dup2(null, 1);
  dup2(null, 2);
  raw_syscall(SYS_close, null);
}

// Waits for the tool's next command.
Command await_command(Shared* shared) {
  for (;;) {
    const Command command = shared->live.command.load(std::memory_order_acquire);
    if (command != Command::kNone) {
      shared->live.command.store(Command::kNone, std::memory_order_relaxed);
      return command;
    }
    futex_wait(&shared->live.command, static_cast<std::uint32_t>(Command::kNone));
  }
}

// Whether the tool wants to see the run: it failed, or it covered Config::wanted.
bool is_of_interest(const Run& run) {
  if (run.failure.kind == FailureKind::kCutShort) return false;
  return run.end != RunEnd::kExited || run.failure.kind != FailureKind::kNone ||
         run.pair_covered != 0;
}

// The child has no record of a failure: its exit status is all there is.
void judge_by_status(Shared* shared, long child, int status) {
  Run& run = shared->run;
  Failure& failure = run.failure;
  failure.thread = kNoTid;
  if (WIFEXITED(status)) {
    run.status = WEXITSTATUS(status);
    run.end.store(RunEnd::kExited, std::memory_order_relaxed);
    if (run.status == 0) return;
    failure.kind = FailureKind::kExit;
    failure.detail = run.status;
    failure.thread = 0;
    snprintf(failure.message, sizeof failure.message, "the program exited with status %d",
             run.status);
  } else {
    const int signal = WTERMSIG(status);
    const bool hung = signal == SIGKILL && shared->live.ended_child.load() == child;
    failure.kind = hung ? FailureKind::kHang : FailureKind::kSignal;
    failure.detail = signal;
    snprintf(failure.message, sizeof failure.message, "killed by signal %d (%s)", signal,
             strsignal(signal));
  }
  run.end.store(RunEnd::kFailed, std::memory_order_relaxed);
}

constinit DamageCheck damage_check{};

// The run overwrote the shared memory: whether there is a failure of its own to tell.
bool failed_by_itself(Shared* shared, long child, int status) {
  Run& run = shared->run;
  if (run.end == RunEnd::kRunning) {
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == kFailureStatus))
      return false;
    judge_by_status(shared, child, status);
  }
  Failure& failure = run.failure;
  if (has_trait(failure.kind, kNotOfProgram)) return false;
  failure.message[sizeof failure.message - 1] = 0;
  const std::size_t length = strlen(failure.message);
  strncpy(failure.message + length, kDamagedToo, sizeof failure.message - 1 - length);
  return true;
}

// The tool learns of the failure, and then there are no more runs: what they need may be damaged.
[[noreturn]] void stop_after_damage(Shared* shared) {
  if (shared->config.wait_for_schedule) refuse(shared, kDamaged);
  Run& run = shared->run;
  const std::uint64_t steps = run.steps.load(std::memory_order_relaxed);
  run.event_hash = hash_events(shared, shared->steps(), steps);
  shared->live.runs.fetch_add(1, std::memory_order_relaxed);
  shared->live.total_steps.fetch_add(steps, std::memory_order_relaxed);
  shared->live.failures.fetch_add(1, std::memory_order_relaxed);
  set_phase(shared, Phase::kStopped);
  if (await_command(shared) != Command::kQuit) refuse(shared, kDamaged);
  set_phase(shared, Phase::kFinished);
  raw_exit_process(0);
}

// Where standard input was when the server began; -1 if it cannot be put back there.
constinit long input_begin = -1;

void enter_run(Shared* shared, Strategy* strategy, const RunPlan& plan) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  refresh_thread_id();
  enter_snapshot();
  // The runs share one open file: each is to read it from the beginning.
  if (input_begin >= 0) raw_syscall(SYS_lseek, 0, input_begin, SEEK_SET);
  install_failure_handlers();
  handle_library_waits();
  begin_world(&main_context, strategy, plan, shared);
  begin_observed_run(shared, false);
  sync_object(reinterpret_cast<void*>(main_context.handle))->owner = 0;
  set_controlled(true);
}

// Returns only in the children, each of which is one run; or at once, if this process is the run.
void serve(Shared* shared) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  Strategy* strategy = prepare_runs(shared);
  adopt_context(&main_context);
  install_terminate_handler();
  bool discards = shared->config.keep_output == 0;
  if (discards && !shared->config.keep_first_output) {
    discard_output();
    discards = false;
  }
  input_begin = raw_syscall(SYS_lseek, 0, 0, SEEK_CUR);
  if (const char* why = begin_snapshot(shared)) refuse(shared, why);
  note_inherited_descriptors();
  set_phase(shared, Phase::kRunning);

  const std::uint64_t stride = shared->config.run_stride ? shared->config.run_stride : 1;
  std::uint64_t number = shared->config.first_run;
  const std::uint32_t modules = shared->module_count;
  constexpr std::uint32_t kFirstContexts = 4, kMostPrepared = 256;
  const std::uint32_t asked = shared->config.prepared_contexts;
  std::uint32_t wanted_contexts = 0;
  if (forks_keep_contexts())
    wanted_contexts = asked == 0 ? kFirstContexts : asked < kMostPrepared ? asked : kMostPrepared;
  for (std::uint64_t done = 0; shared->config.max_runs == 0 || done < shared->config.max_runs;
       ++done, number += stride) {
    if (shared->live.command.load(std::memory_order_acquire) == Command::kQuit) break;
    if (shared->config.wait_for_schedule) {
      number = shared->config.first_run;  // all of them are variations of one run
      set_phase(shared, Phase::kAwaiting);
      if (await_command(shared) == Command::kQuit) break;
    }
    if (const char* why = restore_snapshot()) refuse(shared, why);
    prepare_contexts(wanted_contexts);
    const RunPlan plan = plan_run(shared, number);
    shared->run.contexts = wanted_contexts;
    shared->module_count = modules;  // what the last run loaded is gone with it
    if (shared->config.in_place) return enter_run(shared, strategy, plan);
    damage_check.remember(shared);
    // Not libc's fork: that would give the stacks of the prepared contexts away.
    const long child = raw_fork();
    if (child == 0) return enter_run(shared, strategy, plan);
    if (child < 0) refuse(shared, "the system refuses to create another process (fork failed)");
    shared->live.child.store(static_cast<int>(child), std::memory_order_release);
    int status = 0;
    while (raw_syscall(SYS_wait4, child, as_arg(&status), 0, 0) == -EINTR) {
    }
    if (discards) discard_output();
    discards = false;
    const bool damaged = damage_check.find_and_repair(shared);
    if (damaged && !failed_by_itself(shared, child, status)) refuse(shared, kDamaged);
    if (shared->live.phase.load(std::memory_order_acquire) == Phase::kRefused) raw_exit_process(3);
    shared->live.child.store(0, std::memory_order_release);
    if (shared->run.end.load(std::memory_order_acquire) == RunEnd::kRunning)
      judge_by_status(shared, child, status);
    if (damaged) stop_after_damage(shared);
    account_run(shared, strategy);
    if (forks_keep_contexts()) {
      const std::uint32_t used = shared->run.threads;
      if (used > wanted_contexts && !shared->config.wait_for_schedule)
        wanted_contexts = used < kMostPrepared ? used : kMostPrepared;
    }
    if (is_of_interest(shared->run) && !shared->config.wait_for_schedule) {
      shared->live.failures.fetch_add(1, std::memory_order_relaxed);
      set_phase(shared, Phase::kStopped);
      if (await_command(shared) == Command::kQuit) break;
      set_phase(shared, Phase::kRunning);
    }
    if (strategy->search != nullptr && strategy->search->exhausted()) {
      shared->live.space_exhausted.store(
          shared->live.waited_for_event == 0 && shared->live.cut_runs == 0,
          std::memory_order_relaxed);
      break;
    }
  }
  set_phase(shared, Phase::kFinished);
  raw_exit_process(0);
}

void resolve_early(int, char**, char** environment) {
  resolve_real_functions();
  snag_resolve_setjmp();
  find_processors(environment);
  forbid_spinning(environment);
}

}  // namespace

Strategy* prepare_runs(Shared* shared) {
  told_shared = shared;
  tell_out_of_memory = refuse_for_memory;
  mallopt(M_ARENA_MAX,
          1);  // one arena: no heap per thread to set up, and addresses that depend on less
  find_modules(shared);
  if (!trap_library_waits()) refuse(shared, kCannotTrap);
  char why[sizeof shared->live.message];
  if (!divert_named_allocators(shared->config.settings.allocators.text, why, sizeof why))
    refuse(shared, why);
  shared->live.backend = init_contexts(shared->config.settings.backend);
  points = shared->config.settings.points;
  sched.initial_signal_mask = current_signal_mask();
  upcalls = {deliver_signals, deliver_process_signals, may_come_from_outside, last_write_for,
             test_cancel,     look_for_repeated_state, upcalls.poll};
  init_thread_locals();
  init_start_join();
  if (points == Points::kShared) init_learning(shared);
  init_observers(shared);
  for (std::uint32_t i = 0; i < shared->config.initial_points && i < kMaxPoints; ++i) {
    // Those of libraries that the program loads later stay as they are until then.
    if (const std::uint64_t pc = absolute_pc(shared, shared->points[i])) shared->points[i] = pc;
  }
  shared->live.point_count.store(shared->config.initial_points, std::memory_order_relaxed);
  adopt_learned_points(shared);
  const Config& config = shared->config;
  // A replay follows the rules under which the schedule was made.
  const bool follows = has_trait(config.settings.strategy, kFollowsRecorded);
  sched.systematic = has_trait(follows ? config.recorded : config.settings.strategy, kSystematic);
  sched.early_timeouts = config.settings.timeouts == Timeouts::kEarly &&
                         (sched.systematic || has_trait(config.settings.strategy, kEarlyTimeouts));
  Strategy* strategy = strategy_for(shared);
  if (strategy == nullptr) refuse(shared, kOtherVersion);
  return strategy;
}

RunPlan plan_run(Shared* shared, std::uint64_t number) {
  Run& run = shared->run;
  run.number = number;
  // Variations of one run have the points of that run.
  if (shared->config.settings.points == Points::kShared && !shared->config.wait_for_schedule)
    choose_whether_to_learn(number);
  run.seed = mix64(shared->config.settings.seed + number * 0x9e3779b97f4a7c15);
  run.strategy = shared->config.settings.strategy;
  run.points_used = shared->live.point_count.load(std::memory_order_relaxed);
  run.steps.store(0, std::memory_order_relaxed);
  run.choices.store(0, std::memory_order_relaxed);
  run.status = 0;
  run.threads = 1;
  run.failure.kind = FailureKind::kNone;
  run.failure.detail = 0;
  run.failure.threads = 0;
  run.failure.lock = 0;
  run.race_seen = 0;
  run.pair_covered = 0;
  run.changed_files.count.store(0, std::memory_order_relaxed);
  run.changed_files.left_out.store(0, std::memory_order_relaxed);
  run.failure.message[0] = 0;
  run.end.store(RunEnd::kRunning, std::memory_order_release);
  return {number, run.seed};
}

void account_run(Shared* shared, Strategy* strategy) {
  Run& run = shared->run;
  const bool complete = run.end == RunEnd::kExited;
  const bool cut = run.failure.kind == FailureKind::kCutShort;
  if (cut) shared->live.cut_runs.fetch_add(1, std::memory_order_relaxed);
  // The end of the run means nothing, but what happened before it does.
  if (cut && run.pair_covered != 0) {
    run.end.store(RunEnd::kExited, std::memory_order_relaxed);
    run.failure.kind = FailureKind::kNone;
  }
  // Nothing worse happened than the race.
  if (run.race_seen != 0 && (cut || (complete && run.failure.kind == FailureKind::kNone))) {
    run.end.store(cut ? RunEnd::kFailed : RunEnd::kExited, std::memory_order_relaxed);
    run.failure.kind = FailureKind::kRace;
    run.failure.thread = run.race.second.thread;
  }
  end_observed_run(shared);
  find_changed_files(shared);
  Live& live = shared->live;
  const std::uint64_t steps = run.steps.load(std::memory_order_relaxed);
  const std::uint32_t choices = run.choices.load(std::memory_order_relaxed);
  const std::uint32_t threads = run.threads;
  // Only what is reported, or compared by a replay, needs its exact hash.
  if (is_of_interest(run) || has_trait(shared->config.settings.strategy, kComparesEvents))
    run.event_hash = hash_events(shared, shared->steps(), steps);
  live.distinct_orders.store(count_order(shared->steps(), steps), std::memory_order_relaxed);
  Learner* learner = strategy->learner;
  if (learner != nullptr)
    learner->learn({{shared->steps(), steps}, {shared->choices, choices}, threads, complete});
  if (strategy->search != nullptr && strategy->search->bound_hit())
    live.bound_hit.store(1, std::memory_order_relaxed);
  const bool points_changed = points == Points::kShared && adopt_learned_points(shared);
  if (points_changed && learner != nullptr) learner->points_changed();
  if (threads > live.max_threads.load(std::memory_order_relaxed))
    live.max_threads.store(threads, std::memory_order_relaxed);
  // There is one writer, so no locked instructions are needed.
  live.total_steps.store(live.total_steps.load(std::memory_order_relaxed) + steps,
                         std::memory_order_relaxed);
  live.runs.store(live.runs.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

// Before the constructors of any library: from the first moment on, interposed functions find the
// real ones.
__attribute__((section(".preinit_array"), used)) static void (*const early)(int, char**,
                                                                            char**) = resolve_early;

// After all libraries, before the program's own constructors.
__attribute__((constructor(101))) static void start() {
  allow_spinning();
  const char* control = getenv(kControlVariable);
  if (!control) return begin_covering_freely();
  Shared* shared = map_control(control);
  unsetenv(kControlVariable);  // what the program starts is not under control
  unsetenv("OMP_TOOL");        // it may forbid libomp to report to openmp_llvm.cc
  if (shared) serve(shared);
}

// After the program's own destructors: threads that are not joined may see what these have left.
__attribute__((destructor(101))) static void end() {
  if (controlled && sched.live_count > 1) step(OpKind::kThreadExit, nullptr, 0);
}

}  // namespace snag::rt
