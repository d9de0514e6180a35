#include "tool/report/view/failure_view.h"

#include <fmt/format.h>

#include <algorithm>

#include "tool/report/view/spinning.h"
#include "tool/report/view/step_kinds.h"
#include "tool/session/lock_orders.h"

namespace snag::report {
namespace {

using binary::Frame;
using binary::Symbolizer;
using session::FailedRun;

// Where a thread is: its stack, or what it is about to do if that is all that is known.
std::vector<FrameView> thread_stack(const FailedRun& run, const ThreadReport& thread,
                                    Symbolizer& symbolizer, SourceText& source) {
  std::vector<std::uint64_t> stack(thread.stack, thread.stack + thread.depth);
  std::vector<FrameView> frames = stack_view(run.modules, stack, symbolizer, source);
  const bool pending_is_there = thread.depth > 0 && thread.stack[0] == thread.pending_pc;
  if (thread.pending_pc == 0 || pending_is_there) return frames;
  const auto is_users = [&](std::uint64_t pc) {
    const binary::Frames& found = symbolizer.lookup(run.modules, pc);
    return std::any_of(found.begin(), found.end(), binary::is_user_frame);
  };
  if (std::any_of(stack.begin(), stack.end(), is_users)) return frames;
  stack.push_back(thread.pending_pc);
  return stack_view(run.modules, stack, symbolizer, source);
}

std::optional<Tid> known(Tid thread) {
  return thread == kNoTid ? std::nullopt : std::optional<Tid>(thread);
}

// The end of the table says what was found, without the place, which it shows anyway.
void name_memory_error(FailureView& view) {
  std::string sentence;
  if (view.kind == FailureKind::kRace && view.race) sentence = race_sentence(*view.race);
  if (view.heap) sentence = heap_sentence(*view.heap);
  if (sentence.empty() || view.interleaving.events.empty()) return;
  view.interleaving.events.back().note = sentence.substr(0, sentence.find(": "));
}

// "unlocks the mutex gate" instead of "unlocks a mutex".
std::string with_lock_name(std::string message, const std::string& name) {
  if (name.empty()) return message;
  for (const char* kind : {"mutex", "read-write lock", "spin lock"}) {
    const std::string unnamed = std::string(" a ") + kind;
    const std::size_t at = message.find(unnamed);
    if (at == std::string::npos) continue;
    return message.replace(at, unnamed.size(), " the " + (kind + (" " + name)));
  }
  return message;
}

}  // namespace

void fill_from_run(FailureView& view, const FailedRun& run, Symbolizer& symbolizer,
                   SourceText& source) {
  view.kind = run.kind;
  view.covered = run.covered;
  view.detail = run.detail;
  view.used_changes = run.used_changes;
  view.message = session::with_places(run.message, run.modules, symbolizer);
  view.thread = known(run.thread);
  view.run = run.number;
  view.seed = run.seed;
  view.strategy = run.strategy;
  view.steps = run.steps.size();
  view.event_hash = run.event_hash;
  const std::vector<Stretch> stretches = trace::find_stretches(run.steps);
  view.switch_count = stretches.empty() ? 0 : stretches.size() - 1;
  ObjectNames objects(symbolizer, run.modules, source);
  learn_names(run, symbolizer, source, objects);
  view.untimely_end = untimely_end_of(run, symbolizer, source, objects);
  view.interleaving = interleaving_of(run, symbolizer, source, objects);
  if (run.race) view.race = race_view(*run.race, run.modules, symbolizer, source, objects);
  if (run.heap) view.heap = heap_view(*run.heap, run.modules, symbolizer, source, objects);
  name_memory_error(view);
  if (const Spinning spinning = spinning_threads(run, symbolizer, objects);
      !spinning.text.empty()) {
    view.message = spinning.is_own_lock ? spinning.text + "\n" + view.message
                                        : view.message + "\n" + spinning.text;
    if (spinning.is_own_lock && !view.interleaving.events.empty())
      view.interleaving.events.back().note = spinning.text.substr(0, spinning.text.find(": "));
  }
  // The sentence of the failure tells of three places or more.
  if (run.kind == FailureKind::kLateWakeup && !view.interleaving.events.empty())
    view.interleaving.events.back().note = "only its timeout had ended the wait";
  if (run.lock != 0) {
    const std::string name = objects.name(run.lock);
    view.message = with_lock_name(std::move(view.message), name);
    if (!view.interleaving.events.empty()) {
      std::string& note = view.interleaving.events.back().note;
      note = with_lock_name(std::move(note), name);
    }
  }
  for (const ThreadReport& report : run.threads) {
    if (report.status == ThreadStatus::kFinished) continue;
    ThreadView thread;
    thread.thread = report.thread;
    thread.name = session::bounded_string(report.name, sizeof(report.name));
    thread.status = report.status;
    thread.op = report.pending;
    if (report.object != 0) thread.object = objects.name(pending_object(report));
    thread.held_by = known(report.owner);
    thread.in_cycle = report.in_cycle != 0;
    thread.timed = report.timed != 0;
    thread.stack = thread_stack(run, report, symbolizer, source);
    if (report.hint_pc != 0) {
      const Frame* frame = binary::display_frame(symbolizer.lookup(run.modules, report.hint_pc));
      if (frame != nullptr) thread.missed_signal = frame_view(*frame, source);
      thread.missed_signal_by = known(report.hint_thread);
    }
    view.threads.push_back(std::move(thread));
  }
}

std::string message_of(const FailureView& failure) {
  if (failure.heap) return heap_sentence(*failure.heap);
  if (failure.race && failure.kind == FailureKind::kRace) return race_sentence(*failure.race);
  return failure.message;
}

namespace {

RacePlacesView places_of(const explore::Finding& finding, Symbolizer& symbolizer,
                         SourceText& source) {
  const FailedRun& run = finding.run;
  ObjectNames objects(symbolizer, run.modules, source);
  learn_names(run, symbolizer, source, objects);
  RaceView race = race_view(*run.race, run.modules, symbolizer, source, objects);
  return {race.variable,       std::move(race.first),  std::move(race.second), finding.trace_path,
          finding.confirmed(), finding.replay_problem, finding.count};
}

}  // namespace

std::vector<FailureView> views_of(std::span<const explore::Finding> findings,
                                  Symbolizer& symbolizer, SourceText& source) {
  std::vector<FailureView> views;
  for (const std::size_t shown : explore::shown_in_full(findings)) {
    FailureView& view = views.emplace_back(view_of(findings[shown], symbolizer, source));
    for (std::size_t i = 0; i < findings.size(); ++i) {
      const explore::Finding& other = findings[i];
      if (other.group != findings[shown].group) continue;
      view.left_out_places += other.left_out;
      if (i != shown && other.run.race)
        view.other_places.push_back(places_of(other, symbolizer, source));
    }
  }
  return views;
}

FailureView view_of(const explore::Finding& finding, Symbolizer& symbolizer, SourceText& source) {
  FailureView view;
  fill_from_run(view, finding.run, symbolizer, source);
  view.seed = finding.trace.settings.seed;
  view.runs = finding.found_after;
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
