#include "tool/report/formats/progress.h"

#include <fmt/format.h>

#include <cstdio>

#include "tool/base/terminal.h"

namespace snag::report {
namespace {

constexpr std::chrono::duration<double> kLiveInterval{0.1};
constexpr std::chrono::duration<double> kPlainInterval{5.0};

}  // namespace

std::string progress_line(const explore::Totals& totals, std::uint64_t limit) {
  const double seconds = totals.elapsed.count();
  const auto rate =
      static_cast<unsigned long long>(seconds > 0 ? static_cast<double>(totals.runs) / seconds : 0);
  const std::string runs = limit > 0
                               ? fmt::format("{} of {} runs", grouped(totals.runs), grouped(limit))
                               : counted(totals.runs, "run", "runs");
  return fmt::format("{}, {} a second, {}", runs, grouped(rate),
                     counted(totals.failures, "failure", "failures"));
}

std::string shrink_line(const shrink::ShrinkProgress& shrink) {
  return fmt::format("shrinking: {} to {}, {}", grouped(shrink.from),
                     counted(shrink.to, "switch", "switches"),
                     counted(shrink.attempts, "attempt", "attempts"));
}

void Progress::update(const explore::Totals& totals) {
  if (!enabled_ || totals.elapsed - last_ < (terminal_ ? kLiveInterval : kPlainInterval)) return;
  last_ = totals.elapsed;
  show(progress_line(totals, limit_));
}

void Progress::shrinking(const shrink::ShrinkProgress& shrink) {
  const auto now = Clock::now();
  if (last_shrink_ == Clock::time_point{}) last_shrink_ = now;
  if (!enabled_ || now - last_shrink_ < (terminal_ ? kLiveInterval : kPlainInterval)) return;
  last_shrink_ = now;
  show(shrink_line(shrink));
}

void Progress::show(const std::string& line) {
  if (terminal_) {
    fmt::print(stderr, "\r\x1b[K{}", line);
    line_shown_ = true;
  } else {
    fmt::print(stderr, "snag: {}\n", line);
  }
  std::fflush(stderr);
}

void Progress::finish() {
  if (line_shown_) fmt::print(stderr, "\r\x1b[K");
  line_shown_ = false;
}

}  // namespace snag::report
