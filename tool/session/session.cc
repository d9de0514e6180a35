#include "tool/session/session.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>

#include "protocol/damage.h"
#include "protocol/loop_steps.h"
#include "tool/base/futex.h"
#include "tool/base/names.h"
#include "tool/session/failed_run.h"

namespace snag::session {
namespace {

// How long a run may take to report its threads once it was asked to.
constexpr milliseconds kReportGrace{2'000};
// How long a server may take to quit.
constexpr milliseconds kQuitGrace{500};
// The server's own work between two runs is microseconds; this is for a machine under heavy load.
constexpr milliseconds kServerGrace{5'000};

// For the copies of RunSettings::cwd_snapshot.
Expected<ScratchFolder> make_scratch_folder() {
  std::error_code error;
  const std::string place = std::filesystem::temp_directory_path(error).string();
  if (error) {
    return nothing_ran(fmt::format(
        "--cwd-snapshot: no folder for temporary files ({}): name one in TMPDIR", error.message()));
  }
  auto folder = ScratchFolder::make(place);
  if (folder && folder->path().size() >= sizeof(Config::scratch)) {
    return nothing_ran(fmt::format(
        "--cwd-snapshot: '{}' is too long a name: name another place in TMPDIR", folder->path()));
  }
  return folder;
}

// 0 if there is no such process.
pid_t parent_of(pid_t pid) {
  const std::string path = fmt::format("/proc/{}/stat", pid);
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  char text[512];
  const std::string stat(text, file ? std::fread(text, 1, sizeof text, file.get()) : 0);
  // "7 (name) R 6 ...", and the name may contain any character
  const std::size_t name_end = stat.rfind(')');
  char state = 0;
  int parent = 0;
  if (name_end == std::string::npos ||
      std::sscanf(stat.c_str() + name_end + 1, " %c %d", &state, &parent) != 2)
    return 0;
  return parent;
}

std::string last_line(const std::string& text) {
  const std::size_t end = text.find_last_not_of(" \n\t");
  if (end == std::string::npos) return "";
  const std::size_t begin = text.rfind('\n', end);
  return text.substr(begin == std::string::npos ? 0 : begin + 1, end - (begin + 1) + 1);
}

}  // namespace

Expected<ControlBlock> make_control_block(const SessionOptions& options) {
  if (options.choices.size() > kMaxChoices || options.points.size() > kMaxPoints) {
    return usage_error("the trace has more choices or points than this version of Snag can replay");
  }
  // A few steps more than the budget: the runtime ends the run when it is used up, not before.
  const std::uint64_t step_capacity = options.config.settings.max_steps + kLoopSteps + 64;
  auto block = ControlBlock::create(step_capacity,
                                    std::max(options.schedule.size(), options.schedule_capacity));
  if (!block) return tl::unexpected(block.error());
  Shared& shared = block->shared();
  shared.config = options.config;
  shared.config.replay_length = static_cast<std::uint32_t>(options.schedule.size());
  shared.config.replay_choices = static_cast<std::uint32_t>(options.choices.size());
  shared.config.initial_points = static_cast<std::uint32_t>(options.points.size());
  std::copy(options.schedule.begin(), options.schedule.end(), shared.schedule());
  std::copy(options.choices.begin(), options.choices.end(), shared.choices);
  std::copy(options.points.begin(), options.points.end(), shared.points);
  return block;
}

Expected<std::unique_ptr<Session>> Session::start(const Program& program,
                                                  const SessionOptions& options) {
  auto block = make_control_block(options);
  if (!block) return tl::unexpected(block.error());
  const int output = memfd_create("snag-output", MFD_CLOEXEC);
  if (output < 0) {
    return internal_error(
        fmt::format("cannot keep the program's output: {}", std::strerror(errno)));
  }
  std::unique_ptr<Session> session(new Session(std::move(*block), output, program, options));
  if (options.config.settings.cwd_snapshot != CwdSnapshot::kOff) {
    auto scratch = make_scratch_folder();
    if (!scratch) {
      session->reaped_ = true;
      return tl::unexpected(scratch.error());
    }
    session->scratch_ = std::move(*scratch);
    const std::string& path = session->scratch_.path();
    path.copy(session->shared().config.scratch, path.size());
  }
  auto pid = start_program(program, session->block_.fd(), output);
  if (!pid) {
    session->reaped_ = true;
    return tl::unexpected(pid.error());
  }
  session->pid_ = *pid;
  session->hang_timer_.begin(Clock::now());
  return session;
}

Session::~Session() {
  quit();
  close(output_fd_);
}

Event Session::current_event() {
  Shared& s = shared();
  switch (s.live.phase.load()) {
    case Phase::kStopped:
      // After a resume the server needs a moment to leave the phase: this is still the old stop.
      return s.live.failures.load() != failures_handled_ ? Event::kFailed : Event::kNone;
    case Phase::kFinished:
      return Event::kFinished;
    case Phase::kAwaiting:
      return Event::kAwaiting;
    case Phase::kRefused:
      error_ = {ErrorKind::kNothingRan, bounded_string(s.live.message, sizeof(s.live.message))};
      return Event::kDied;
    default:
      return s.remote.turn.load() == 1 ? Event::kQuestion : Event::kNone;
  }
}

Event Session::poll() {
  if (const Event event = current_event(); event != Event::kNone) return event;
  const Phase phase = shared().live.phase.load();
  if (reap(false)) {
    if (const Event event = current_event(); event != Event::kNone) return event;  // the last one
    error_ = explain_death(phase);
    return Event::kDied;
  }
  watch(Clock::now());
  forget_old_output();
  return Event::kNone;
}

Event Session::wait(milliseconds timeout) {
  const Phase phase = shared().live.phase.load();
  if (const Event event = poll(); event != Event::kNone) return event;
  if (shared().config.settings.strategy == StrategyKind::kRemote) {
    const std::uint32_t turn = shared().remote.turn.load();
    if (turn != 1) futex_wait(shared().remote.turn, turn, timeout);
  } else {
    futex_wait(shared().live.phase, phase, timeout);
  }
  return current_event();
}

void Session::resume() {
  failures_handled_ = shared().live.failures.load();
  known_output_ = output_size();
  shared().live.command.store(Command::kContinue);
  futex_wake(shared().live.command);
  hang_timer_.begin(Clock::now());
}

bool Session::send(std::span<const Stretch> schedule, std::span<const Choice> choices,
                   bool end_with_it) {
  Shared& s = shared();
  if (schedule.size() > schedule_capacity_ || choices.size() > kMaxChoices) return false;
  std::copy(schedule.begin(), schedule.end(), s.schedule());
  std::copy(choices.begin(), choices.end(), s.choices);
  s.config.replay_length = static_cast<std::uint32_t>(schedule.size());
  s.config.replay_choices = static_cast<std::uint32_t>(choices.size());
  s.config.end_with_schedule = end_with_it ? 1 : 0;
  known_output_ = output_size();
  s.live.phase.store(Phase::kRunning);  // or we would mistake the old request for a new one
  s.live.command.store(Command::kContinue);
  futex_wake(s.live.command);
  hang_timer_.begin(Clock::now());
  return true;
}

void Session::answer(Tid thread, bool ignore_pc) {
  RemoteExchange& remote = shared().remote;
  remote.answer = thread;
  remote.ignore_pc = ignore_pc ? 1 : 0;
  remote.turn.store(2);
  futex_wake(remote.turn);
}

void Session::quit() {
  if (reaped_ || pid_ <= 0) return;
  shared().live.command.store(Command::kQuit);
  futex_wake(shared().live.command);
  const auto deadline = Clock::now() + kQuitGrace;
  // Does not wait for a run in progress: only a server between runs ends by itself.
  while (shared().live.child.load() == 0 && !reap(false) && Clock::now() < deadline) usleep(500);
  kill_all();
}

void Session::kill_all() {
  // Kills the group, to get the server's children; also if the server itself is already gone.
  kill(-pid_, SIGKILL);
  if (!reaped_) {
    kill(pid_, SIGKILL);
    reap(true);
  }
}

bool Session::reap(bool block) {
  if (reaped_) return true;
  const pid_t result = TEMP_FAILURE_RETRY(waitpid(pid_, &wait_status_, block ? 0 : WNOHANG));
  if (result != pid_) return false;
  reaped_ = true;
  kill(-pid_, SIGKILL);  // processes that it may have left behind
  return true;
}

void Session::watch(Clock::time_point now) {
  // The server repairs the damage after the run. A run that goes on and on with it has to end, too.
  if (!is_overwritten(shared())) damaged_since_.reset();
  if (is_overwritten(shared()) && !damaged_since_) damaged_since_ = now;
  if (damaged_since_ && now - *damaged_since_ > hang_timeout_ + kServerGrace) {
    killed_ = true;
    kill_all();
    return;
  }
  const Live& live = shared().live;
  const Pulse pulse{live.runs.load(), shared().run.steps.load(), live.child.load(),
                    live.phase.load()};
  if (pulse != pulse_) {
    // The steps of a run that writes its report may still change, so it gets no second chance.
    if (pulse.child != pulse_.child || pulse.runs != pulse_.runs) asked_to_report_ = false;
    pulse_ = pulse;
    if (!asked_to_report_) hang_timer_.begin(now);
    return;
  }
  if (pulse.phase == Phase::kRunning && pulse.child > 0) {
    watch_run(now, pulse.child);
    return;
  }
  const bool waits_for_us = pulse.phase == Phase::kStopped || pulse.phase == Phase::kAwaiting;
  hang_timer_.look(now, pid_);
  if (!waits_for_us && hang_timer_.is_over(hang_timeout_ + kServerGrace)) {
    killed_ = true;
    kill_all();
  }
}

void Session::watch_run(Clock::time_point now, pid_t child) {
  hang_timer_.look(now, child);
  const auto limit = asked_to_report_ ? kReportGrace : hang_timeout_;
  if (!hang_timer_.is_over(limit)) return;
  switch (signal_run(child, asked_to_report_ ? SIGKILL : SIGXCPU)) {
    case Signalled::kRun:
      asked_to_report_ = true;
      hang_timer_.begin(now);
      break;
    case Signalled::kNobody:  // the run has ended: the server is about to say so
      if (!hang_timer_.is_over(limit + kServerGrace)) break;
      [[fallthrough]];
    case Signalled::kOther:
      killed_ = is_damaged_ = true;
      kill_all();
      break;
  }
}

Session::Signalled Session::signal_run(pid_t child, int signal) {
  // The program may have written another number there. The process is held before it is asked about
  // its parent, so that the answer cannot be about a later one of the same number.
  const int pidfd = static_cast<int>(syscall(SYS_pidfd_open, child, 0));
  const bool cannot_hold = pidfd < 0 && errno == ENOSYS;  // a kernel before 5.3
  const pid_t parent = parent_of(child);
  if (parent == pid_) {
    if (signal == SIGKILL) shared().live.ended_child.store(child);
    if (pidfd >= 0) syscall(SYS_pidfd_send_signal, pidfd, signal, nullptr, 0);
    if (cannot_hold) kill(child, signal);
  }
  if (pidfd >= 0) close(pidfd);
  return parent == pid_ ? Signalled::kRun : parent == 0 ? Signalled::kNobody : Signalled::kOther;
}

Error Session::explain_death(Phase phase) const {
  if (is_damaged_ || is_overwritten(shared())) return {ErrorKind::kNothingRan, kDamaged};
  const std::string said = last_line(output_tail(4096));
  const std::string quote = said.empty() ? "" : fmt::format("; its last words: {}", said);
  if (phase == Phase::kStarting) {
    if (killed_) {
      return {ErrorKind::kNothingRan,
              fmt::format(
                  "'{}' did not reach main within {} s: look for a static constructor that waits{}",
                  program_path_, (hang_timeout_ + kServerGrace).count() / 1000, quote)};
    }
    return {ErrorKind::kNothingRan, fmt::format("'{}' {} before main{}", program_path_,
                                                describe_status(wait_status_), quote)};
  }
  if (killed_) {
    return {ErrorKind::kInternal,
            fmt::format("the fork server of '{}' did not answer and was killed{}", program_path_,
                        quote)};
  }
  return {shared().live.runs.load() == 0 ? ErrorKind::kNothingRan : ErrorKind::kInternal,
          fmt::format("the fork server of '{}' {} after {} runs{}", program_path_,
                      describe_status(wait_status_), shared().live.runs.load(), quote)};
}

void wait_for_any(std::span<const std::unique_ptr<Session>> sessions, milliseconds timeout) {
  constexpr std::size_t kMaxWaiters = FUTEX_WAITV_MAX;
  std::vector<futex_waitv> waiters;
  for (const auto& session : sessions.first(std::min(sessions.size(), kMaxWaiters))) {
    const std::atomic<Phase>& phase = session->shared().live.phase;
    const Phase seen = phase.load();
    if (seen != Phase::kStarting && seen != Phase::kRunning) continue;
    futex_waitv waiter{};
    waiter.val = static_cast<std::uint32_t>(seen);
    waiter.uaddr = reinterpret_cast<std::uintptr_t>(&phase);
    waiter.flags = FUTEX_32;
    waiters.push_back(waiter);
  }
  timespec until{};
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += static_cast<long>(timeout.count() % 1000) * 1'000'000;
  until.tv_sec += static_cast<time_t>(timeout.count() / 1000) + until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  // Kernels before 5.16 do not have it: check again soon.
  if (syscall(SYS_futex_waitv, waiters.data(), waiters.size(), 0, &until, CLOCK_MONOTONIC) < 0 &&
      errno == ENOSYS) {
    usleep(5'000);
  }
}

std::size_t Session::output_size() const {
  struct stat info {};
  return fstat(output_fd_, &info) == 0 && info.st_size > 0 ? static_cast<std::size_t>(info.st_size)
                                                           : 0;
}

// A run that prints without end must not use up the memory.
void Session::forget_old_output() {
  constexpr std::size_t kKept = 1 << 20, kMost = 64 << 20;
  const std::size_t size = output_size();
  if (size < forgotten_output_ + kMost) return;
  forgotten_output_ = size - kKept;
  if (fallocate(output_fd_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0,
                static_cast<off_t>(forgotten_output_)) != 0)
    forgotten_output_ = SIZE_MAX - kMost;  // never again
}

std::string Session::new_output_tail(std::size_t limit) const {
  const std::size_t size = output_size();
  return output_tail(std::min(limit, size - std::min(size, known_output_)));
}

std::string Session::output_tail(std::size_t limit) const {
  const std::size_t size = output_size();
  std::string text(std::min(size, limit), '\0');
  const ssize_t count =
      pread(output_fd_, text.data(), text.size(), static_cast<off_t>(size - text.size()));
  text.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  return bounded_string(text.data(), text.size());
}

}  // namespace snag::session
