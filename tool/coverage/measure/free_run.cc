// Implements tool/coverage/measure/measure.h: runs of the program with the kernel's scheduling.
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "tool/coverage/measure/measure.h"

namespace snag::coverage {
namespace {

constexpr milliseconds kPollInterval{100};
// A Ctrl-C at the terminal reaches the program without us; a signal to the tool alone does not.
constexpr milliseconds kSignalGrace{300};
// How long a program may take to end when it was asked to, after --time.
constexpr milliseconds kEndGrace{5'000};

// One process, watched until it is over.
class FreeRun {
 public:
  explicit FreeRun(pid_t pid)
      : pid_(pid), pidfd_(static_cast<int>(syscall(SYS_pidfd_open, pid, 0))) {}
  FreeRun(const FreeRun&) = delete;
  FreeRun& operator=(const FreeRun&) = delete;
  ~FreeRun() {
    if (!is_over_) {
      kill(pid_, SIGKILL);
      TEMP_FAILURE_RETRY(waitpid(pid_, nullptr, 0));
    }
    if (pidfd_ >= 0) close(pidfd_);
  }

  // Waits for the end, at most for a round.
  bool is_over() {
    if (is_over_) return true;
    if (pidfd_ >= 0) {
      pollfd waits{pidfd_, POLLIN, 0};
      poll(&waits, 1, static_cast<int>(kPollInterval.count()));
    } else {
      usleep(5'000);  // a kernel before 5.3
    }
    is_over_ = waitpid(pid_, &status_, WNOHANG) == pid_;
    return is_over_;
  }

  // Makes a program end that should.
  void end_if_wanted(int signal, bool is_out_of_time) {
    const auto now = Clock::now();
    if (signal == 0 && !is_out_of_time) return;
    if (since_ == Clock::time_point{}) since_ = now;
    if (signal != 0 && !was_signalled_ && now - since_ > kSignalGrace) send(signal);
    if (signal != 0 || !is_out_of_time) return;
    if (!was_signalled_) send(SIGTERM);
    if (now - since_ > kEndGrace) kill(pid_, SIGKILL);
  }
  bool was_signalled() const { return was_signalled_; }
  int status() const { return status_; }

 private:
  void send(int signal) {
    kill(pid_, signal);
    was_signalled_ = true;
  }

  pid_t pid_;
  int pidfd_;
  int status_ = 0;
  bool is_over_ = false, was_signalled_ = false;
  Clock::time_point since_{};
};

std::string failure_of(int status) {
  return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? "" : describe_status(status);
}

void note_end(CoverStore& store, std::uint64_t run, int status) {
  if (run >= kMaxCoverRuns || store.runs[run].end.load() != 0) return;
  FailureKind kind = FailureKind::kNone;
  if (WIFSIGNALED(status)) kind = FailureKind::kSignal;
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) kind = FailureKind::kExit;
  store.runs[run].end.store(static_cast<std::uint32_t>(kind) + 1);
}

}  // namespace

Expected<void> run_freely(Measurement& measurement, binary::ModuleMap& modules) {
  CoverStore& store = measurement.store().get();
  const std::string variable = fmt::format("{}={}", kCoverVariable, measurement.store().fd());
  while (measurement.goes_on()) {
    const std::uint64_t number = measurement.result().totals.runs;
    store.run.store(static_cast<std::uint32_t>(number));
    auto pid = start_freely(measurement.options().program, variable);
    if (!pid) return tl::unexpected(pid.error());
    FreeRun run(*pid);
    while (!run.is_over()) {
      modules = copy_modules(store);
      if (auto looked = measurement.look(modules); !looked) return looked;
      run.end_if_wanted(measurement.hooks().interrupted_by(), measurement.is_out_of_time());
    }
    modules = copy_modules(store);
    measurement.end_process(modules);
    note_end(store, number, run.status());
    const bool was_stopped = run.was_signalled() || measurement.hooks().interrupted_by() != 0;
    measurement.count_run(was_stopped ? "" : failure_of(run.status()));
    // If nothing was measured, do not repeat the run.
    if (store.location_count.load() <= 1) break;
    if (auto looked = measurement.look(modules); !looked) return looked;
  }
  measurement.result().is_interrupted = measurement.hooks().interrupted_by() != 0;
  return {};
}

}  // namespace snag::coverage
