// How far a search is, on standard error: one line that is rewritten on a terminal, else a plain
// line now and then.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "tool/explore/explorer.h"

namespace snag::report {

class Progress {
 public:
  // `limit` is the number of runs wanted, 0 if there is none.
  Progress(bool enabled, bool terminal, std::uint64_t limit)
      : enabled_(enabled), terminal_(terminal), limit_(limit) {}
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const explore::Totals& totals);
  void shrinking(const shrink::ShrinkProgress& shrink);
  // Clears the live line, so that a report can follow.
  void finish();

 private:
  bool enabled_;
  bool terminal_;
  std::uint64_t limit_;
  bool line_shown_ = false;
  void show(const std::string& line);

  std::chrono::duration<double> last_{0};
  Clock::time_point last_shrink_{};
};

// "shrinking: 34 to 7 switches, 1,234 attempts"
std::string shrink_line(const shrink::ShrinkProgress& shrink);

// "1,234 of 2,000 runs, 1,520 a second, 1 failure"
std::string progress_line(const explore::Totals& totals, std::uint64_t limit);

}  // namespace snag::report
