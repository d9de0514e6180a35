#include "engine/patience.h"

#include <dirent.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

namespace snag::engine {
namespace {

// Who looks less often than that did not get a processor either, or the machine stood still.
constexpr std::chrono::milliseconds kLongestPause{1'000};
// A process that gets next to nothing for so many times the limit is given up all the same: nobody
// waits for ever.
constexpr int kMostTimes = 20;

}  // namespace

std::optional<Clock::duration> time_in_queue(pid_t pid) {
  const auto close_folder = [](DIR* folder) { closedir(folder); };
  const std::string path = fmt::format("/proc/{}/task", pid);
  const std::unique_ptr<DIR, decltype(close_folder)> folder(opendir(path.c_str()), close_folder);
  if (!folder) return std::nullopt;
  std::optional<Clock::duration> sum;
  // All of them: with the futex backend, any thread may be the one that runs.
  while (const dirent* entry = readdir(folder.get())) {
    if (entry->d_name[0] == '.') continue;
    const auto close_file = [](FILE* file) { std::fclose(file); };
    const std::unique_ptr<FILE, decltype(close_file)> file(
        std::fopen(fmt::format("{}/{}/schedstat", path, entry->d_name).c_str(), "re"), close_file);
    unsigned long long ran = 0, queued = 0;
    if (!file || std::fscanf(file.get(), "%llu %llu", &ran, &queued) != 2) continue;
    sum = sum.value_or(Clock::duration{}) + std::chrono::nanoseconds(queued);
  }
  return sum;
}

void Patience::begin(Clock::time_point now) {
  *this = {};
  begin_ = last_ = now;
}

void Patience::look(Clock::time_point now, pid_t pid, std::optional<Clock::duration> queued) {
  Clock::duration passed = std::min<Clock::duration>(now - last_, kLongestPause);
  if (pid == pid_ && queued && queued_ && *queued > *queued_) passed -= *queued - *queued_;
  spent_ += std::max(passed, Clock::duration{});
  last_ = now;
  pid_ = pid;
  queued_ = queued;
}

bool Patience::is_over(Clock::duration limit) const {
  return spent_ > limit || last_ - begin_ > kMostTimes * limit;
}

}  // namespace snag::engine
