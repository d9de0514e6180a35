// Guided runs in a fork server of their own.
#pragma once

#include <memory>
#include <string>

#include "tool/base/error.h"
#include "tool/binary/symbolizer.h"
#include "tool/session/session.h"
#include "tool/shrink/guided_run.h"
#include "tool/shrink/shrink_options.h"
#include "tool/trace/trace.h"

namespace snag::shrink {

class SessionRunner final : public GuidedRunner {
 public:
  // Runs the trace's program, looking for failures with this signature. Ends at the deadline, or
  // when asked to.
  static Expected<std::unique_ptr<SessionRunner>> start(const trace::Trace& trace,
                                                        std::string signature,
                                                        binary::Symbolizer& symbolizer,
                                                        const ShrinkOptions& options,
                                                        Clock::time_point deadline);

  std::optional<GuidedLog> run(const TargetSchedule& target) override;
  std::uint64_t attempts() const { return attempts_; }
  // Called whenever it reads the clock.
  std::function<void()> on_round = [] {};

 private:
  SessionRunner(std::unique_ptr<session::Session> session, const trace::Trace& trace,
                std::string signature, binary::Symbolizer& symbolizer, const ShrinkOptions& options,
                Clock::time_point deadline);
  bool await();  // until the server wants a schedule; false: never again
  bool is_same_failure();

  std::unique_ptr<session::Session> session_;
  trace::TraceFailure wanted_;
  std::string signature_;
  binary::Symbolizer& symbolizer_;
  std::function<bool(const session::FailedRun&)> keeps_;
  std::function<bool()> should_stop_;
  Clock::time_point deadline_;
  std::uint64_t attempts_ = 0;
  bool over_ = false;
};

}  // namespace snag::shrink
