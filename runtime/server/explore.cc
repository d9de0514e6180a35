// Implements <snag/explore_c.h>: many runs of one function inside one process, with pooled threads.
//
// The runs happen in a child process. It executes one schedule after the other without starting
// anything again; when one fails, the child is lost and the shared memory says what happened. The
// parent then replays that schedule in another child before it reports the failure.
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <snag/explore_c.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "arch/arch.h"
#include "protocol/loop_steps.h"
#include "runtime/base/path.h"
#include "runtime/detect/locks/lock_check.h"
#include "runtime/interpose/interpose.h"
#include "runtime/interpose/library_waits.h"
#include "runtime/sched/context.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler.h"
#include "runtime/server/observers.h"
#include "runtime/server/server.h"

namespace snag::rt {
namespace {

constexpr std::uint64_t kMaxStretches = 1 << 20;
constexpr std::uint64_t kMostSteps = 100'000'000;

constinit Context explore_context{};

std::int64_t real_now() {
  timespec time;
  raw_syscall(SYS_clock_gettime, CLOCK_MONOTONIC, as_arg(&time));
  return time.tv_sec * 1'000'000'000ll + time.tv_nsec;
}

bool nobody_else(const SyncObject*, const Thread*) { return sched.live_count == 1; }

// The body is over: everything that it started has to end, too.
void end_world() {
  if (sched.live_count > 1)
    step_when(OpKind::kThreadJoin, sync_object(&sched.live_count), nobody_else, 0);
  check_end_of_run();
  for (std::uint32_t i = 1; i < sched.thread_count; ++i) {
    Thread* t = &sched.threads[i];
    if (t->context->occupant == t) release_context(t->context);
  }
}

void play(Shared* shared, Strategy* strategy, std::uint64_t number, void (*body)(void*),
          void* argument) {
  const RunPlan plan = plan_run(shared, number);
  begin_world(&explore_context, strategy, plan, shared);
  begin_observed_run(shared, true);
  sync_object(reinterpret_cast<void*>(explore_context.handle))->owner = 0;
  set_controlled(true);
  body(argument);
  end_world();
  set_controlled(false);
  shared->run.end.store(RunEnd::kExited, std::memory_order_relaxed);
}

[[noreturn]] void work(Shared* shared, std::uint64_t first, std::int64_t deadline,
                       void (*body)(void*), void* argument) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (!shared->config.keep_output) {
    const int null = static_cast<int>(
        raw_syscall(SYS_openat, AT_FDCWD, as_arg("/dev/null"), O_RDWR | O_CLOEXEC));
    dup2(null, 1);
    dup2(null, 2);
  }
  Strategy* strategy = prepare_runs(shared);
  adopt_context(&explore_context);
  install_failure_handlers();
  handle_library_waits();
  install_terminate_handler();
  for (std::uint64_t i = first; i < shared->config.max_runs; ++i) {
    play(shared, strategy, shared->config.first_run + i, body, argument);
    account_run(shared, strategy);
    if (strategy->search != nullptr && strategy->search->exhausted()) {
      shared->live.space_exhausted.store(shared->live.waited_for_event == 0,
                                         std::memory_order_relaxed);
      break;
    }
    if (deadline != 0 && real_now() > deadline) break;
  }
  shared->live.phase.store(Phase::kFinished, std::memory_order_release);
  raw_exit_process(0);
}

// Until the child ends, or the given number of nanoseconds has passed.
void wait_for_child(long pidfd, long nanoseconds) {
  const timespec pause{0, nanoseconds};
  if (pidfd < 0) {  // an old kernel
    raw_syscall(SYS_nanosleep, as_arg(&pause), 0);
    return;
  }
  pollfd ended{static_cast<int>(pidfd), POLLIN, 0};
  raw_syscall(SYS_ppoll, as_arg(&ended), 1, as_arg(&pause), 0);
}

// Waits for the child; true if it ended by itself with all runs done.
bool supervise(Shared* shared, pid_t child) {
  const auto patience = static_cast<std::int64_t>(shared->config.settings.hang_ms) * 1'000'000;
  std::uint64_t last_steps = 0, last_runs = 0;
  std::int64_t last_change = real_now();
  bool asked = false;
  int status = 0;
  const long pidfd = raw_syscall(SYS_pidfd_open, child, 0);
  for (int wait_us = 50;; wait_us = wait_us < 5000 ? wait_us * 2 : wait_us) {
    const long ended = raw_syscall(SYS_wait4, child, as_arg(&status), WNOHANG, 0);
    // A test process that ignores SIGCHLD has no child to wait for once it is gone.
    if (ended == child || ended == -ECHILD) break;
    wait_for_child(pidfd, wait_us * 1000l);
    const std::uint64_t steps = shared->run.steps.load(std::memory_order_relaxed);
    const std::uint64_t runs = shared->live.runs.load(std::memory_order_relaxed);
    const std::int64_t now = real_now();
    if (steps != last_steps || runs != last_runs) {
      last_steps = steps, last_runs = runs, last_change = now;
    } else if (now - last_change > patience) {
      raw_syscall(SYS_kill, child, asked ? SIGKILL : SIGXCPU);
      asked = true;
      last_change = now - patience + 2'000'000'000;
    }
  }
  if (pidfd >= 0) raw_syscall(SYS_close, pidfd);
  if (shared->live.phase.load(std::memory_order_acquire) == Phase::kFinished) return true;
  Run& run = shared->run;
  if (run.end.load(std::memory_order_acquire) == RunEnd::kRunning ||
      run.end.load() == RunEnd::kExited) {
    run.end.store(RunEnd::kFailed);
    run.failure.thread = 0;
    if (shared->live.phase.load() == Phase::kRefused) {
      run.failure.kind = FailureKind::kInternal;
      snprintf(run.failure.message, sizeof run.failure.message, "%s", shared->live.message);
    } else if (WIFEXITED(status)) {
      run.failure.kind = FailureKind::kExit;
      run.failure.detail = WEXITSTATUS(status);
      snprintf(run.failure.message, sizeof run.failure.message,
               "the body ended the process with status %d", WEXITSTATUS(status));
    } else {
      const bool hung = WTERMSIG(status) == SIGKILL && asked;
      run.failure.kind = hung ? FailureKind::kHang : FailureKind::kSignal;
      run.failure.detail = WTERMSIG(status);
      snprintf(run.failure.message, sizeof run.failure.message, "killed by signal %d",
               WTERMSIG(status));
    }
  }
  return false;
}

// ---- Replay tokens: "snag1:<seed>:<run>:<strategy>:<points>:<choices>:<thread>*<steps>,..." ----

struct Text {
  char* data = nullptr;
  std::size_t size = 0, capacity = 0;

  __attribute__((format(printf, 2, 3))) void add(const char* format, ...) {
    if (capacity - size < 512) {
      capacity = capacity * 2 + 1024;
      data = static_cast<char*>(realloc(data, capacity));
    }
    va_list list;
    va_start(list, format);
    size += static_cast<std::size_t>(vsnprintf(data + size, capacity - size, format, list));
    va_end(list);
  }
};

char* make_token(const Shared* shared) {
  auto* s = const_cast<Shared*>(shared);
  Text text;
  text.add("snag1:%lx:%lu:%d:", shared->config.settings.seed, shared->run.number,
           static_cast<int>(has_trait(shared->config.settings.strategy, kFollowsRecorded)
                                ? shared->config.recorded
                                : shared->config.settings.strategy));
  for (std::uint32_t i = 0; i < shared->run.points_used; ++i) {
    text.add("%s%lx", i ? "," : "", module_pc(shared, shared->points[i]));
  }
  text.add(":");
  for (std::uint32_t i = 0; i < shared->run.choices.load(); ++i)
    text.add("%s%u", i ? "," : "", shared->choices[i].value);
  text.add(":");
  const std::uint64_t steps = shared->run.steps.load();
  for (std::uint64_t i = 0; i < steps;) {
    std::uint64_t end = i;
    while (end < steps && s->steps()[end].thread == s->steps()[i].thread) ++end;
    text.add("%s%u*%lu", i ? "," : "", s->steps()[i].thread, end - i);
    i = end;
  }
  return text.data;
}

// Reads a number and moves on; false if there is none.
bool number(const char*& at, int base, std::uint64_t* value) {
  char* end = nullptr;
  errno = 0;
  *value = strtoull(at, &end, base);
  if (end == at || errno != 0) return false;
  at = end;
  return true;
}

bool read_token(const char* at, Shared* shared) {
  std::uint64_t a = 0, b = 0;
  Config& config = shared->config;
  if (strncmp(at, "snag1:", 6) != 0) return false;
  at += 6;
  if (!number(at, 16, &config.settings.seed) || *at++ != ':' ||
      !number(at, 10, &config.first_run) || *at++ != ':' || !number(at, 10, &a) || *at++ != ':') {
    return false;
  }
  const StrategyRow* recorded = find_strategy(a);
  if (recorded == nullptr || recorded->choice != StrategyChoice::kEverywhere) return false;
  config.recorded = recorded->kind;
  config.initial_points = config.replay_choices = config.replay_length = 0;
  while (*at != ':') {
    if (config.initial_points == kMaxPoints || !number(at, 16, &a)) return false;
    shared->points[config.initial_points++] = a;
    if (*at == ',') ++at;
  }
  ++at;
  while (*at != ':') {
    if (config.replay_choices == kMaxChoices || !number(at, 10, &a)) return false;
    shared->choices[config.replay_choices++].value = static_cast<std::uint32_t>(a);
    if (*at == ',') ++at;
  }
  ++at;
  while (*at) {
    if (config.replay_length == kMaxStretches || !number(at, 10, &a) || a >= kMaxThreads ||
        *at++ != '*' || !number(at, 10, &b) || b == 0 || b > UINT32_MAX) {
      return false;
    }
    shared->schedule()[config.replay_length++] = {static_cast<Tid>(a), 0,
                                                  static_cast<std::uint32_t>(b)};
    if (*at == ',') ++at;
  }
  config.settings.strategy = StrategyKind::kReplay;
  config.max_runs = 1;
  return true;
}

// "test+0x12": a place in a module.
void add_pc(Text& text, const Shared* shared, std::uint64_t address) {
  const ModulePc pc = module_pc(shared, address);
  const std::uint32_t module = module_of(pc);
  const char* path = module < shared->module_count ? shared->modules[module].path : "?";
  text.add("%s+0x%lx", base_name(path), offset_of(pc) - 1);
}

void add_stack(Text& text, const Shared* shared, const std::uint64_t* stack, int depth) {
  for (int k = 0; k < depth && k < 6; ++k) {
    text.add(" ");
    add_pc(text, shared, stack[k]);
  }
  text.add("\n");
}

void add_access(Text& text, const Shared* shared, const AccessReport& access) {
  text.add("  T%u %s%s %u bytes at", access.thread, access.atomic ? "atomically " : "",
           access.is_free ? "frees"
           : access.write ? "writes"
                          : "reads",
           access.size);
  add_stack(text, shared, access.stack, access.depth);
}

char* describe_threads(const Shared* shared) {
  Text text;
  if (shared->run.failure.kind == FailureKind::kRace) {
    add_access(text, shared, shared->run.race.first);
    add_access(text, shared, shared->run.race.second);
  }
  for (std::uint32_t i = 0; i < shared->run.failure.threads; ++i) {
    const ThreadReport& t = shared->threads[i];
    if (t.status == ThreadStatus::kFinished) continue;
    text.add("  T%u%s %s %s", t.thread, t.thread == shared->run.failure.thread ? " (failed)" : "",
             t.status == ThreadStatus::kRunnable ? "at" : "waits in", op_name(t.pending));
    if (t.owner != kNoTid) text.add(" for what T%u has", t.owner);
    add_stack(text, shared, t.stack, t.depth);
  }
  return text.data;
}

// The message, with something for people in place of @{pc,caller,...}.
char* describe_failure(const Shared* shared) {
  Text text;
  text.add("%s", "");
  for (const char* at = shared->run.failure.message; *at;) {
    std::uint64_t pc = 0;
    const char* number_at = at + 2;
    const char* end = strncmp(at, "@{", 2) == 0 ? strchr(at, '}') : nullptr;
    if (end && number(number_at, 16, &pc)) {
      add_pc(text, shared, pc);
      at = end + 1;
    } else {
      text.add("%c", *at++);
    }
  }
  return text.data;
}

// Takes over the caller's options; returns null, or why they are impossible.
const char* take_settings(const snag_explore_options& options, RunSettings& settings) {
  static constexpr StrategyList strategies =
      list_strategies(StrategyChoice::kEverywhere, " or ", "", "strategy must be ");
  const auto text = [](const char* given) { return std::string_view(given ? given : ""); };
  const StrategyRow* strategy = find_strategy(text(options.strategy));
  const Word* points = find_word(kPointsWords, text(options.points));
  const Word* backend = find_word(kBackendWords, text(options.backend));
  if (strategy == nullptr || strategy->choice != StrategyChoice::kEverywhere)
    return strategies.text;
  if (points == nullptr) return "points must be sync, shared or all";
  if (backend == nullptr) return "backend must be user or futex";
  if (options.max_steps == 0 || options.max_steps > kMostSteps)
    return "max_steps must be between 1 and 100,000,000";
  if (!(options.hang_seconds > 0)) return "hang_seconds must be positive";
  settings.strategy = strategy->kind;
  settings.points = static_cast<Points>(points->value);
  settings.backend = static_cast<Backend>(backend->value);
  settings.races = options.races != 0 ? Races::kFail : Races::kOff;
  settings.heap_checks = options.heap_checks != 0;
  settings.lock_misuse = options.lock_misuse != 0;
  settings.lock_order = false;
  settings.late_wakeups = LateWakeups::kOff;
  settings.seed = options.seed;
  settings.max_steps = options.max_steps;
  settings.pct_depth = options.pct_depth;
  settings.preemption_bound = options.preemptions;
  const double most = 1e12;
  const double hang_ms = options.hang_seconds * 1000;
  settings.hang_ms = static_cast<std::uint64_t>(hang_ms < 1 ? 1 : hang_ms < most ? hang_ms : most);
  return nullptr;
}

bool fill_config(const snag_explore_options* options, Shared* shared, snag_explore_result* result) {
  RunSettings settings;
  const char* problem = take_settings(*options, settings);
  if (!problem && options->runs == 0) problem = "runs must be at least 1";
  if (!problem && options->seconds < 0) problem = "seconds must not be negative";
  if (problem) {
    snprintf(result->message, sizeof result->message, "%s", problem);
    return false;
  }
  shared->magic = kProtocolMagic;
  shared->version = kProtocolId;
  Config& config = shared->config;
  config.settings = settings;
  config.keep_output = options->keep_output != 0;
  config.run_stride = 1;
  config.max_runs = options->runs;
  return true;
}

// Plays the schedule that `token` describes; true if it fails as `like` says (null: in any way).
bool replay(Shared* shared, const char* token, const Run* like, void (*body)(void*),
            void* argument) {
  if (!read_token(token, shared)) return false;
  shared->live.phase.store(Phase::kRunning);
  const pid_t child = real.fork();
  if (child == 0) work(shared, 0, 0, body, argument);
  if (child < 0 || supervise(shared, child)) return false;
  const Run& run = shared->run;
  return run.end.load() == RunEnd::kFailed &&
         (!like ||
          (run.failure.kind == like->failure.kind && run.failure.detail == like->failure.detail));
}

}  // namespace
}  // namespace snag::rt

using namespace snag;
using namespace snag::rt;

SNAG_INTERPOSE void snag_explore(const snag_explore_options* options, void (*body)(void*),
                                 void* argument, snag_explore_result* result) {
  *result = {};
  result->failed = SNAG_EXPLORE_REFUSED;
  strcpy(result->kind, "refused");
  if (controlled) {
    snprintf(result->message, sizeof result->message,
             "snag::explore was called inside a controlled run: start the test without snag run");
    return;
  }
  const std::uint64_t step_capacity =
      (options->max_steps < kMostSteps ? options->max_steps + 1 : kMostSteps) + kLoopSteps;
  const std::uint64_t size = Shared::size_for(step_capacity, kMaxStretches);
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    snprintf(result->message, sizeof result->message,
             "no memory for %lu steps: choose a smaller max_steps", options->max_steps);
    return;
  }
  auto* shared = static_cast<Shared*>(memory);
  shared->size = size;
  shared->step_capacity = step_capacity;
  shared->stretch_capacity = kMaxStretches;
  if (!fill_config(options, shared, result)) {
    munmap(memory, size);
    return;
  }
  fflush(nullptr);  // what is buffered must not be written once more by every child
  find_modules(shared);
  bool failed;
  if (options->replay && *options->replay) {
    shared->config.keep_output = 1;
    failed = replay(shared, options->replay, nullptr, body, argument);
    result->confirmed = failed;
    if (!failed && shared->run.end.load() != RunEnd::kExited) {
      result->failed = SNAG_EXPLORE_DIVERGED;
      snprintf(
          result->message, sizeof result->message, "%s",
          shared->run.failure.message[0] ? shared->run.failure.message : "the token is damaged");
      munmap(memory, size);
      return;
    }
  } else {
    const std::int64_t deadline =
        options->seconds > 0 ? real_now() + static_cast<std::int64_t>(options->seconds * 1e9) : 0;
    const pid_t child = real.fork();
    if (child == 0) work(shared, 0, deadline, body, argument);
    if (child < 0) {
      snprintf(result->message, sizeof result->message,
               "the system refuses to create a process (fork failed)");
      munmap(memory, size);
      return;
    }
    failed = !supervise(shared, child);
  }
  result->runs = shared->live.runs.load() + failed;
  result->distinct_orders = shared->live.distinct_orders.load();
  result->steps = shared->live.total_steps.load();
  result->exhausted = shared->live.space_exhausted.load() != 0;
  result->bound_hit = shared->live.bound_hit.load() != 0;
  result->failed = failed ? SNAG_EXPLORE_FAILED : SNAG_EXPLORE_PASSED;
  result->kind[0] = 0;
  if (failed) {
    result->failing_run = shared->run.number;
    snprintf(result->kind, sizeof result->kind, "%s", failure_name(shared->run.failure.kind));
    char* message = describe_failure(shared);
    snprintf(result->message, sizeof result->message, "%s", message);
    free(message);
    result->threads = describe_threads(shared);
    result->token = make_token(shared);
    if (!result->confirmed) {
      Run* like = static_cast<Run*>(malloc(sizeof(Run)));
      memcpy(static_cast<void*>(like), &shared->run, sizeof(Run));
      result->confirmed = replay(shared, result->token, like, body, argument);
      free(like);
    }
  }
  munmap(memory, size);
}

SNAG_INTERPOSE void snag_fail(const char* message) {
  if (controlled) fail(FailureKind::kReported, 0, message, SNAG_CALLER);
  fprintf(stderr, "snag::fail: %s\n", message);
  abort();
}

SNAG_INTERPOSE int snag_is_controlled() { return controlled; }
