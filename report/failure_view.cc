#include "report/failure_view.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <fstream>

namespace snag::report {
namespace {

using engine::FailedRun;
using engine::Frame;
using engine::Frames;
using engine::Symbolizer;

constexpr off_t kMaxSourceBytes = 8 << 20;
constexpr std::size_t kMaxSourceLine = 120;

FrameView frame_view(const Frame& frame, SourceText& source) {
  return {frame.function, engine::base_name(frame.file), frame.line,
          source.line(frame.file, frame.line)};
}

// The user's frames of a stack, inlined functions included; all frames if none is the user's.
std::vector<FrameView> stack_view(const FailedRun& run, const ThreadReport& thread,
                                  Symbolizer& symbolizer, SourceText& source) {
  std::vector<FrameView> user, others;
  const auto add = [&](const Frames& frames) {
    for (const Frame& frame : frames) {
      (engine::is_user_frame(frame) ? user : others).push_back(frame_view(frame, source));
    }
  };
  for (int i = 0; i < thread.depth; ++i) add(symbolizer.lookup(run.modules, thread.stack[i]));
  const bool pending_is_there = thread.depth > 0 && thread.stack[0] == thread.pending_pc;
  if (user.empty() && thread.pending_pc != 0 && !pending_is_there)
    add(symbolizer.lookup(run.modules, thread.pending_pc));
  return user.empty() ? others : user;
}

// A, B, ... in the order in which they are asked for.
class ObjectNames {
 public:
  std::string name(std::uint64_t object) {
    const auto [entry, is_new] = numbers_.try_emplace(object, numbers_.size());
    const std::size_t number = entry->second;
    const char letter = static_cast<char>('A' + number % 26);
    return number < 26 ? std::string(1, letter) : fmt::format("{}{}", letter, number / 26);
  }

 private:
  std::map<std::uint64_t, std::size_t> numbers_;
};

std::optional<Tid> known(Tid thread) {
  return thread == kNoTid ? std::nullopt : std::optional<Tid>(thread);
}

}  // namespace

std::string FrameView::text() const {
  if (file.empty()) return function.empty() ? "an unknown place" : function;
  return function.empty() ? fmt::format("{}:{}", file, line)
                          : fmt::format("{}:{} in {}", file, line, function);
}

std::string SourceText::line(const std::string& path, int line) {
  if (path.empty() || line <= 0) return "";
  const auto [entry, is_new] = files_.try_emplace(path);
  if (is_new) {
    struct stat info {};
    if (stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
        info.st_size <= kMaxSourceBytes) {
      std::ifstream file(path);
      for (std::string text; std::getline(file, text);) entry->second.push_back(text);
    }
  }
  const std::vector<std::string>& lines = entry->second;
  if (static_cast<std::size_t>(line) > lines.size()) return "";
  std::string text = lines[static_cast<std::size_t>(line) - 1];
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string::npos) return "";
  text = text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
  return engine::bounded_string(text.data(), std::min(text.size(), kMaxSourceLine));
}

void fill_from_run(FailureView& view, const FailedRun& run, Symbolizer& symbolizer,
                   SourceText& source) {
  view.kind = run.kind;
  view.detail = run.detail;
  view.message = run.message;
  view.thread = known(run.thread);
  view.run = run.number;
  view.seed = run.seed;
  view.strategy = run.strategy;
  view.steps = run.steps.size();
  view.event_hash = run.event_hash;
  ObjectNames objects;
  for (const ThreadReport& report : run.threads) {
    if (report.in_cycle != 0) objects.name(report.object);  // a deadlock is about A and B
  }
  for (const ThreadReport& report : run.threads) {
    if (report.status == ThreadStatus::kFinished) continue;
    ThreadView thread;
    thread.thread = report.thread;
    thread.name = engine::bounded_string(report.name, sizeof(report.name));
    thread.status = report.status;
    thread.op = report.pending;
    if (report.object != 0) thread.object = objects.name(report.object);
    thread.held_by = known(report.owner);
    thread.in_cycle = report.in_cycle != 0;
    thread.timed = report.timed != 0;
    thread.stack = stack_view(run, report, symbolizer, source);
    if (report.hint_pc != 0) {
      const Frame* frame = engine::display_frame(symbolizer.lookup(run.modules, report.hint_pc));
      if (frame != nullptr) thread.missed_signal = frame_view(*frame, source);
      thread.missed_signal_by = known(report.hint_thread);
    }
    view.threads.push_back(std::move(thread));
  }
}

FailureView view_of(const engine::Finding& finding, Symbolizer& symbolizer, SourceText& source) {
  FailureView view;
  fill_from_run(view, finding.run, symbolizer, source);
  view.seed = finding.trace.seed;
  view.runs = finding.found_after;
  view.switches = finding.trace.switches;
  view.switch_count = finding.trace.schedule.empty() ? 0 : finding.trace.schedule.size() - 1;
  view.shrunk_from = finding.trace.shrunk_from;
  view.shrink_attempts = finding.shrink_attempts;
  view.shrink_seconds = finding.shrink_time.count();
  view.trace_path = finding.trace_path;
  view.confirmed = finding.confirmed();
  view.replay_problem = finding.replay_problem;
  view.count = finding.count;
  view.output = finding.output;
  return view;
}

}  // namespace snag::report
