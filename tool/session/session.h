// One fork server: the program under test, started once, that executes runs by itself (see
// protocol/shared_memory.h).
//
// The tool's part is small: it waits until the server has something to say, and meanwhile is the
// watchdog. A run that makes no step for `RunSettings::hang_ms` is asked to report its threads and
// die (SIGXCPU); one that does not is killed. A server that stays silent is killed too: the tool
// itself never hangs. The time that they wait for a processor on a busy machine does not count.
//
//   auto session = Session::start(program, options);
//   while (true) {
//     Event event = (*session)->wait(50ms);
//     if (event == Event::kFailed) { ... copy_failed_run ...; (*session)->resume(); }
//     ...
//   }
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "protocol/shared_memory.h"
#include "tool/base/error.h"
#include "tool/base/hang_timer.h"
#include "tool/base/process.h"
#include "tool/session/control_block.h"
#include "tool/session/scratch_folder.h"

namespace snag::session {

struct SessionOptions {
  Config config{};
  // For a replay; config's counts are derived from these.
  std::span<const Stretch> schedule;
  std::span<const Choice> choices;
  std::span<const ModulePc> points;
  // With wait_for_schedule: room for the longest schedule that will be sent.
  std::size_t schedule_capacity = 0;
};

// The memory that tells a program what to do.
Expected<ControlBlock> make_control_block(const SessionOptions& options);

enum class Event {
  kNone,      // nothing new
  kFailed,    // a failing (or diverged) run can be read; the server waits for resume() or quit()
  kAwaiting,  // wait_for_schedule: the last run can be read; the server waits for send() or quit()
  kQuestion,  // remote strategy: shared().remote waits for an answer()
  kFinished,  // no more runs
  kDied,      // the server is gone or refused to work; error() says why
};

class Session {
 public:
  static Expected<std::unique_ptr<Session>> start(const Program& program,
                                                  const SessionOptions& options);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();  // ends the server and all it started

  // The current event, if any; also acts as the watchdog of the server and its run. Call it at
  // least ten times a second.
  Event poll();
  // Waits until there is an event, at most for the timeout; a signal to the tool ends the wait too.
  Event wait(milliseconds timeout);
  // After kFailed: go on with the next run.
  void resume();
  // After kAwaiting: one run with this schedule; true unless it is longer than was announced.
  bool send(std::span<const Stretch> schedule, std::span<const Choice> choices, bool end_with_it);
  // Answers a kQuestion; kNoTid gives up.
  void answer(Tid thread, bool ignore_pc);
  // Ends the server: politely at first, then by force. What it wrote stays readable.
  void quit();

  Shared& shared() const { return block_.shared(); }
  const Error& error() const { return error_; }
  pid_t pid() const { return pid_; }
  // The end of what the program wrote to standard output and error, at most `limit` bytes.
  std::string output_tail(std::size_t limit) const;
  // The part of that written since the last resume() or send().
  std::string new_output_tail(std::size_t limit) const;

 private:
  Session(ControlBlock block, int output_fd, const Program& program, const SessionOptions& options)
      : block_(std::move(block)),
        output_fd_(output_fd),
        program_path_(program.path),
        hang_timeout_(hang_timeout(options.config.settings)),
        schedule_capacity_(std::max(options.schedule.size(), options.schedule_capacity)) {}

  Event current_event();
  void watch(Clock::time_point now);
  void watch_run(Clock::time_point now, pid_t child);
  // Signals the process that the shared memory names, but only if it is a run of the server.
  enum class Signalled : std::uint8_t { kRun, kNobody, kOther };
  Signalled signal_run(pid_t child, int signal);
  bool reap(bool block);  // true when the server process is gone
  Error explain_death(Phase phase) const;
  void kill_all();
  std::size_t output_size() const;
  void forget_old_output();

  ControlBlock block_;
  int output_fd_;
  ScratchFolder scratch_;  // if it needs one
  std::string program_path_;
  milliseconds hang_timeout_;
  pid_t pid_ = -1;
  bool reaped_ = false;
  bool killed_ = false;      // by the watchdog
  bool is_damaged_ = false;  // the shared memory names a process that is no run
  int wait_status_ = 0;
  std::uint64_t failures_handled_ = 0;
  std::size_t schedule_capacity_;
  std::size_t forgotten_output_ = 0;  // bytes at its beginning that take no memory any more
  std::size_t known_output_ = 0;      // bytes of it at the last resume() or send()
  Error error_;

  // Watchdog: the last progress seen, and the time since.
  struct Pulse {
    std::uint64_t runs = 0, steps = 0;
    std::int32_t child = 0;
    Phase phase = Phase::kStarting;
    bool operator==(const Pulse&) const = default;
  };
  Pulse pulse_;
  HangTimer hang_timer_;
  bool asked_to_report_ = false;
  std::optional<Clock::time_point> damaged_since_;
};

// Sleeps until one of the sessions may have an event, at most for the timeout.
void wait_for_any(std::span<const std::unique_ptr<Session>> sessions, milliseconds timeout);

}  // namespace snag::session
