// A stand-in for the runtime, for tests of the engine: when a test program is started with
// SNAG_CONTROL, it plays a fork server before main, according to the scenario in its first
// argument. Include it once per test program.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>

#include "protocol/shared_memory.h"
#include "tool/base/futex.h"
#include "tool/base/process.h"

namespace snag::session::fake {

inline Shared* g_shared = nullptr;

inline void set_phase(Phase phase) {
  g_shared->live.phase.store(phase);
  futex_wake(g_shared->live.phase);
}

// Stops with what is in `run`, and waits for the tool.
inline void stop() {
  g_shared->live.failures.fetch_add(1);
  g_shared->live.command.store(Command::kNone);
  set_phase(Phase::kStopped);
  while (g_shared->live.command.load() == Command::kNone) {
    futex_wait(g_shared->live.command, Command::kNone, std::chrono::milliseconds(1000));
  }
  if (g_shared->live.command.load() == Command::kQuit) _exit(0);
  set_phase(Phase::kRunning);
}

inline void add_step(Tid thread, OpKind kind) {
  const std::uint64_t i = g_shared->run.steps.load();
  g_shared->steps()[i] = Step{0x1000u + thread, 0x2000, thread, kind, 0, 0};
  if (g_shared->config.record_frames != 0) g_shared->frames()[i * kStepFrames] = 0x3000;
  g_shared->run.steps.store(i + 1);
}

// T0 makes T1 and T2, which lock in opposite orders.
inline void deadlock(std::uint64_t number) {
  Run& run = g_shared->run;
  run.number = number;
  run.steps.store(0);
  for (const int thread : {0, 0, 1, 1, 2, 1})
    add_step(static_cast<Tid>(thread), OpKind::kMutexLock);
  run.choices.store(0);
  run.threads = 3;
  run.event_hash = 0xfeed;
  run.failure.kind = FailureKind::kDeadlock;
  run.failure.detail = 0;
  run.failure.thread = 1;
  std::strcpy(run.failure.message, "threads wait for each other in a cycle");
  run.failure.threads = 3;
  for (Tid i = 0; i < 3; ++i) {
    ThreadReport& report = g_shared->threads[i];
    report = {};
    report.thread = i;
    report.status = ThreadStatus::kBlocked;
    report.pending = i == 0 ? OpKind::kThreadJoin : OpKind::kMutexLock;
    report.pending_pc = 0x1000 + i;
    report.object = i;
    report.owner = i == 0 ? kNoTid : static_cast<Tid>(3 - i);
    report.in_cycle = i != 0;
  }
  run.end.store(RunEnd::kFailed);
}

inline bool schedule_is_that_of_deadlock() {
  const Stretch expected[] = {{0, 0, 2}, {1, 0, 2}, {2, 0, 1}, {1, 0, 1}};
  if (g_shared->config.replay_length != 4) return false;
  return std::memcmp(g_shared->schedule(), expected, sizeof(expected)) == 0;
}

// A child that makes no progress; `obedient`: it answers the watchdog.
inline void hang(bool obedient) {
  g_shared->run.end.store(RunEnd::kRunning);
  g_shared->run.steps.store(0);
  const pid_t child = fork();
  if (child == 0) {
    if (obedient) {
      signal(SIGXCPU, [](int) {
        g_shared->run.failure.kind = FailureKind::kHang;
        std::strcpy(g_shared->run.failure.message, "no schedule point was reached any more");
        g_shared->run.end.store(RunEnd::kFailed);
        _exit(1);
      });
    } else {
      signal(SIGXCPU, SIG_IGN);
    }
    while (true) pause();
  }
  g_shared->live.child.store(child);
  waitpid(child, nullptr, 0);
  g_shared->live.child.store(0);
  g_shared->live.runs.fetch_add(1);
  stop();
}

inline void failing_run(const std::string& scenario, std::uint64_t number) {
  Run& run = g_shared->run;
  if (g_shared->config.keep_output != 0)
    std::printf("output of run %d\n", static_cast<int>(number)), std::fflush(stdout);
  deadlock(number);
  const bool replaying = g_shared->config.settings.strategy == StrategyKind::kReplay;
  if (scenario == "two-kinds" && number % 2 == 1) {
    run.failure.kind = FailureKind::kExit;
    run.failure.detail = 3;
  }
  if (replaying && scenario == "flaky") run.event_hash = 0xbad;
  if (replaying && (scenario == "diverges" || !schedule_is_that_of_deadlock())) {
    run.failure.kind = FailureKind::kNone;
    std::strcpy(run.failure.message, "step 3: thread 2 cannot run");
    run.end.store(RunEnd::kDiverged);
  }
  g_shared->live.runs.fetch_add(1);
  stop();
}

[[noreturn]] inline void serve(const std::string& scenario) {
  const Config& config = g_shared->config;
  Live& live = g_shared->live;
  if (scenario == "crash-early") raise(SIGSEGV);
  if (scenario == "exit-early") {
    std::fputs("cannot open the configuration\n", stderr);
    _exit(7);
  }
  if (scenario == "refuse") {
    std::strcpy(live.message, "this program cannot be controlled");
    set_phase(Phase::kRefused);
    _exit(0);
  }
  set_phase(Phase::kRunning);
  live.max_threads.store(3);
  std::uint64_t number = config.first_run;
  for (std::uint64_t i = 0; config.max_runs == 0 || i < config.max_runs;
       ++i, number += config.run_stride) {
    if (scenario == "dies" && i == 5) raise(SIGKILL);
    if (scenario == "hang") hang(true);
    if (scenario == "hang-hard") hang(false);
    if (scenario == "names-the-tool") {
      g_shared->live.child.store(getppid());
      while (true) pause();
    }
    const bool always =
        config.settings.strategy == StrategyKind::kReplay || scenario == "two-kinds";
    const bool fails = scenario != "clean" && scenario != "dies" && (always || number == 3);
    if (fails && !(config.settings.strategy == StrategyKind::kReplay && scenario == "gone")) {
      failing_run(scenario, number);
    } else {
      usleep(100);
      live.runs.fetch_add(1);
    }
    live.total_steps.fetch_add(6);
    live.distinct_orders.fetch_add(1);
  }
  set_phase(Phase::kFinished);
  while (live.command.load() != Command::kQuit) usleep(1000);
  _exit(0);
}

__attribute__((constructor)) inline void maybe_serve(int, char** argv, char**) {
  const char* control = std::getenv(kControlVariable);
  if (control == nullptr || argv[1] == nullptr) return;
  const int fd = std::atoi(control);
  struct stat info {};
  fstat(fd, &info);
  void* memory = mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ | PROT_WRITE,
                      MAP_SHARED, fd, 0);
  if (memory == MAP_FAILED) _exit(99);
  g_shared = static_cast<Shared*>(memory);
  if (g_shared->magic != kProtocolMagic ||
      g_shared->size != static_cast<std::uint64_t>(info.st_size))
    _exit(98);
  serve(argv[1]);
}

// This test program, to be started as the program under test.
inline Program program(const std::string& scenario) {
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  return {self, {"fake", scenario}, ""};
}

}  // namespace snag::session::fake
