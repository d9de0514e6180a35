// A progress line on standard error. On a terminal one line is rewritten ten times a second;
// elsewhere a plain line appears every few seconds. Each command supplies only the text:
//
//   Progress progress("snag run", !settings.quiet);
//   progress.update([&] { return fmt::format("{} runs", runs); });  // as often as you like
//   progress.finish();                                              // before the report
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace snag {

class Progress {
 public:
  using Clock = std::chrono::steady_clock;

  // Ten times a second looks continuous; every five seconds does not flood a log.
  static constexpr std::chrono::milliseconds kLiveInterval{100};
  static constexpr std::chrono::milliseconds kPlainInterval{5000};

  // Plain lines begin with "<command>: ".
  Progress(std::string command, bool is_enabled);
  // `is_live`: whether to rewrite one line. `file` and `now` are for tests.
  Progress(std::string command, bool is_enabled, bool is_live, std::FILE* file = stderr,
           Clock::time_point now = Clock::now());
  ~Progress() { finish(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Shows what `text()` returns, if a line is due. Calls it only then.
  template <class Text>
  void update(const Text& text, Clock::time_point now = Clock::now()) {
    if (is_due(now)) show(text());
  }
  // Erases the live line, so that a report can follow.
  void finish();

 private:
  bool is_due(Clock::time_point now);
  void show(const std::string& text);

  std::string command_;
  bool is_enabled_, is_live_;
  bool is_shown_ = false;  // a live line is on the screen
  std::FILE* file_;
  Clock::time_point last_;  // when a line was shown, or the start
};

}  // namespace snag
