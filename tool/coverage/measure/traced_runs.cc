#include "tool/coverage/measure/traced_runs.h"

namespace snag::coverage {

Expected<TracedRuns> trace_runs(const TracedRunsOptions& options) {
  auto trace = history::FullTraceFile::create(options.capacity);
  if (!trace) return tl::unexpected(trace.error());
  session::SessionOptions session_options = options.session;
  session_options.config.full_trace_fd = trace->fd();
  auto started = session::Session::start(options.program, session_options);
  if (!started) return tl::unexpected(started.error());
  session::Session& session = **started;
  for (bool goes_on = true; goes_on && !options.should_stop();) {
    switch (session.wait(milliseconds(100))) {
      case session::Event::kFailed:
        session.resume();
        break;
      case session::Event::kFinished:
        goes_on = false;
        break;
      case session::Event::kDied:
        return tl::unexpected(session.error());
      default:
        break;
    }
    if (trace->lost() != 0) break;  // nothing more would be seen
  }
  session.quit();
  const Live& live = session.shared().live;
  return TracedRuns{std::move(*trace), session::copy_modules(session.shared()), live.runs.load(),
                    live.failures.load()};
}

}  // namespace snag::coverage
