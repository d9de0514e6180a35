// Implements tool/coverage/measure/measure.h: runs under control, with schedules that a strategy
// chooses. These are measured exactly.
#include <fmt/format.h>

#include "protocol/damage.h"
#include "tool/base/names.h"
#include "tool/coverage/measure/measure.h"
#include "tool/session/failed_run.h"

namespace snag::coverage {
namespace {

constexpr milliseconds kRound{100};

}  // namespace

Expected<void> run_under_control(Measurement& measurement, binary::ModuleMap& modules) {
  const MeasureOptions& options = measurement.options();
  session::SessionOptions session_options = *options.control;
  session_options.config.max_runs = options.runs;
  session_options.config.cover_fd = measurement.store().fd();
  auto started = session::Session::start(options.program, session_options);
  if (!started) return tl::unexpected(started.error());
  session::Session& session = **started;
  const auto count_runs = [&] {
    const std::uint64_t runs = session.shared().live.runs.load();
    // Not one by one: the program may have written another number there.
    if (!is_overwritten(session.shared())) measurement.set_runs(runs);
  };
  std::optional<Error> error;
  for (bool is_over = false; !is_over;) {
    switch (session.wait(kRound)) {
      case session::Event::kFailed: {
        const session::FailedRun run =
            session::copy_failed_run(session.shared(), session::CopyDepth::kSummary);
        MeasureResult& result = measurement.result();
        ++result.totals.failed;
        ++result.failures[std::string(name_of(run.kind))];
        session.resume();
        break;
      }
      case session::Event::kFinished:
        is_over = true;
        break;
      case session::Event::kDied:
        error = session.error();
        is_over = true;
        break;
      default:
        break;
    }
    count_runs();
    modules = session::copy_modules(session.shared());
    if (auto looked = measurement.look(modules); !looked) return looked;
    if (measurement.hooks().interrupted_by() != 0 || measurement.is_out_of_time()) is_over = true;
  }
  session.quit();
  count_runs();
  measurement.result().is_interrupted = measurement.hooks().interrupted_by() != 0;
  if (error) return tl::unexpected(*error);
  return {};
}

}  // namespace snag::coverage
