#include "tool/report/view/spinning.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "tool/binary/place.h"

namespace snag::report {
namespace {

using session::FailedRun;

// The steps of a thread's own at the end of the run that show what it does again and again.
constexpr std::size_t kLastOwnSteps = 64;
// Words of which a thread's line tells.
constexpr std::size_t kMostWords = 2;

bool changed(const FailedRun& run, std::uint64_t step) {
  const StepValue& value = run.values[step];
  return value.size != 0 && value.before != value.after;
}

// What the thread re-reads without changing it, the most recent first; empty if it does more.
std::vector<std::uint64_t> words_of(const FailedRun& run, Tid thread) {
  std::vector<std::uint64_t> words;
  std::size_t own = 0;
  for (std::uint64_t i = run.steps.size(); i-- > 0 && own < kLastOwnSteps;) {
    const Step& step = run.steps[i];
    if (step.thread != thread || step.kind == OpKind::kYield) continue;
    ++own;
    if (!is_memory_access(step.kind) || changed(run, i)) return {};
    const std::uint64_t word = address_of(step);
    if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
  }
  if (words.size() > kMostWords) words.clear();
  return words;
}

std::string place_of_step(const FailedRun& run, std::uint64_t step,
                          binary::Symbolizer& symbolizer) {
  std::vector<std::uint64_t> stack = {run.steps[step].pc};
  const std::span<const std::uint64_t> callers = run.callers(step);
  stack.insert(stack.end(), callers.begin(), std::find(callers.begin(), callers.end(), 0));
  return binary::place_in_function(binary::user_frame(symbolizer, run.modules, stack));
}

std::optional<std::uint64_t> last_change(const FailedRun& run, std::uint64_t word) {
  for (std::uint64_t i = run.steps.size(); i-- > 0;) {
    if (is_memory_access(run.steps[i].kind) && address_of(run.steps[i]) == word && changed(run, i))
      return i;
  }
  return std::nullopt;
}

// Whether the thread tried the same change again, which then changed nothing.
bool tried_again(const FailedRun& run, std::uint64_t change) {
  const Step& first = run.steps[change];
  return std::any_of(run.steps.begin() + static_cast<std::ptrdiff_t>(change) + 1, run.steps.end(),
                     [&](const Step& step) {
                       return step.thread == first.thread && step.kind == OpKind::kAtomicRmw &&
                              address_of(step) == address_of(first);
                     });
}

struct Line {
  std::string text;
  bool is_own_lock = false;
};

Line line_about(const FailedRun& run, Tid thread, std::uint64_t word,
                binary::Symbolizer& symbolizer, ObjectNames& names) {
  const std::string name = names.name(word);
  const auto change = last_change(run, word);
  if (!change) return {fmt::format("T{} re-reads {}, which no thread has written", thread, name)};
  const Step& step = run.steps[*change];
  const std::string place = place_of_step(run, *change, symbolizer);
  if (step.thread == thread && step.kind == OpKind::kAtomicRmw && tried_again(run, *change)) {
    return {fmt::format("T{} waits for a spin lock that it holds itself: it took {} at {}, and "
                        "tries to take it again",
                        thread, name, place),
            true};
  }
  if (step.thread == thread) {
    return {fmt::format("T{} re-reads {}, which it wrote itself last, at {}", thread, name, place)};
  }
  const ThreadReport* writer = run.thread_report(step.thread);
  const bool has_ended = writer != nullptr && writer->status == ThreadStatus::kFinished;
  return {fmt::format("T{} re-reads {}, which T{} wrote last, at {}{}", thread, name, step.thread,
                      place, has_ended ? ", and has ended since" : "")};
}

}  // namespace

Spinning spinning_threads(const FailedRun& run, binary::Symbolizer& symbolizer,
                          ObjectNames& names) {
  if (run.kind != FailureKind::kLivelock || run.values.size() < run.steps.size()) return {};
  std::vector<Line> lines;
  for (const ThreadReport& thread : run.threads) {
    if (thread.status != ThreadStatus::kRunnable) continue;
    for (const std::uint64_t word : words_of(run, thread.thread))
      lines.push_back(line_about(run, thread.thread, word, symbolizer, names));
  }
  // What explains the rest.
  std::stable_partition(lines.begin(), lines.end(),
                        [](const Line& line) { return line.is_own_lock; });
  Spinning result;
  for (const Line& line : lines) {
    result.text += (result.text.empty() ? "" : "\n") + line.text;
    result.is_own_lock |= line.is_own_lock;
  }
  return result;
}

}  // namespace snag::report
