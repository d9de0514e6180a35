#include "tool/base/hang_timer.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

namespace snag {
namespace {

// If the tool itself checks less often than this, it got no processor either, or the machine was
// suspended.
constexpr std::chrono::milliseconds kLongestPause{1'000};
// A process that gets hardly any processor time for this many times the limit counts as hanging
// anyway.
constexpr int kMostTimes = 20;

// The beginning of a short file. (Not with a stream, whose buffer throws if the process ends while
// it is read.)
std::string text_of(const std::string& path) {
  char text[1024];
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  return file ? std::string(text, std::fread(text, 1, sizeof text, file.get())) : "";
}

}  // namespace

std::optional<ProcessTime> time_of(pid_t pid) {
  const std::string path = fmt::format("/proc/{}/task", pid);
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir(path.c_str()), closedir);
  if (!folder) return std::nullopt;
  std::optional<ProcessTime> sum;
  // All threads: with the futex backend, any of them may be the one that runs.
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    const std::string task = fmt::format("{}/{}/", path, entry->d_name);
    std::istringstream times(text_of(task + "schedstat"));
    long long ran = 0, queued = 0;
    if (!(times >> ran >> queued)) continue;
    if (!sum) sum.emplace();
    sum->ran += std::chrono::nanoseconds(ran);
    sum->queued += std::chrono::nanoseconds(queued);
    // "7 (name) R ...", and the name may contain any character
    const std::string state = text_of(task + "stat");
    const std::size_t name_end = state.rfind(')');
    sum->is_runnable |= name_end != std::string::npos && state.compare(name_end, 3, ") R") == 0;
  }
  return sum;
}

void HangTimer::begin(Clock::time_point now) {
  begin_ = last_ = now;
  spent_ = {};
}

void HangTimer::look(Clock::time_point now, pid_t pid, const std::optional<ProcessTime>& time) {
  Clock::duration passed = std::min<Clock::duration>(now - last_, kLongestPause);
  if (time && pid != pid_) {
    passed = {};  // how much of that it was given is unknown
  } else if (time && time_) {
    // Its current wait for a processor is counted only when it has got one.
    passed = time->is_runnable ? std::min(passed, time->ran - time_->ran)
                               : passed - (time->queued - time_->queued);
  }
  spent_ += std::max(passed, Clock::duration{});
  last_ = now;
  pid_ = pid;
  time_ = time;
}

bool HangTimer::is_over(Clock::duration limit) const {
  return spent_ > limit || last_ - begin_ > kMostTimes * limit;
}

}  // namespace snag
