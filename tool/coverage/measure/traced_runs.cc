#include "tool/coverage/measure/traced_runs.h"

namespace snag::coverage {

engine::Expected<TracedRuns> trace_runs(const TracedRunsOptions& options) {
  auto trace = FullTraceFile::create(options.capacity);
  if (!trace) return tl::unexpected(trace.error());
  engine::SessionOptions session_options = options.session;
  session_options.config.full_trace_fd = trace->fd();
  auto started = engine::Session::start(options.program, session_options);
  if (!started) return tl::unexpected(started.error());
  engine::Session& session = **started;
  for (bool goes_on = true; goes_on && !options.should_stop();) {
    switch (session.wait(engine::milliseconds(100))) {
      case engine::Event::kFailed:
        session.resume();
        break;
      case engine::Event::kFinished:
        goes_on = false;
        break;
      case engine::Event::kDied:
        return tl::unexpected(session.error());
      default:
        break;
    }
    if (trace->lost() != 0) break;  // nothing more would be seen
  }
  session.quit();
  const Live& live = session.shared().live;
  return TracedRuns{std::move(*trace), engine::copy_modules(session.shared()), live.runs.load(),
                    live.failures.load()};
}

}  // namespace snag::coverage
