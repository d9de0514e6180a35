#include "tool/base/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "tool/base/terminal.h"

namespace snag {

Progress::Progress(std::string command, bool is_enabled)
    : Progress(std::move(command), is_enabled, is_terminal(STDERR_FILENO)) {}

Progress::Progress(std::string command, bool is_enabled, bool is_live, std::FILE* file,
                   Clock::time_point now)
    : command_(std::move(command)),
      is_enabled_(is_enabled),
      is_live_(is_live),
      file_(file),
      last_(now) {}

bool Progress::is_due(Clock::time_point now) {
  if (!is_enabled_ || now - last_ < (is_live_ ? kLiveInterval : kPlainInterval)) return false;
  last_ = now;
  return true;
}

void Progress::show(const std::string& text) {
  if (is_live_) {
    fmt::print(file_, "\r\x1b[K{}", text);
    is_shown_ = true;
  } else {
    fmt::print(file_, "{}: {}\n", command_, text);
  }
  std::fflush(file_);
}

void Progress::finish() {
  if (!is_shown_) return;
  fmt::print(file_, "\r\x1b[K");
  std::fflush(file_);
  is_shown_ = false;
}

}  // namespace snag
