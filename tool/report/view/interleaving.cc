#include "tool/report/view/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tool/base/names.h"
#include "tool/report/view/preemptions.h"
#include "tool/report/view/relevance.h"
#include "tool/report/view/step_places.h"
#include "tool/session/lock_orders.h"

namespace snag::report {
namespace {

using binary::Symbolizer;
using session::FailedRun;

// Fewer left-out steps than this, if they do not matter, are not worth a line.
constexpr std::uint64_t kMinorFold = 3;

std::optional<Tid> known_thread(Tid thread) {
  return thread == kNoTid ? std::nullopt : std::optional<Tid>(thread);
}

class Builder {
 public:
  Builder(const FailedRun& run, Symbolizer& symbolizer, SourceText& source, ObjectNames& names)
      : run_(run),
        symbolizer_(symbolizer),
        source_(source),
        names_(names),
        places_(run, symbolizer, source, names),
        relevant_(relevant_steps(run)),
        preemptions_(run) {
    find_told_accesses();
  }

  Interleaving build() {
    learn_names();
    for (const std::uint64_t step : relevant_.steps) {
      add_told_accesses_before(step);
      const std::uint64_t last_end = done_;
      fold_until(step);
      add_step(step, last_end);
      done_ = end_of_free(run_, step);
    }
    add_told_accesses_before(run_.steps.size());
    fold_until(run_.steps.size());
    add_misuse();
    for (const ThreadReport& report : run_.threads) {
      if (waits_for_ever(report)) add_wait(report);
      if (was_interrupted(report)) add_pending(report);
    }
    if (!result_.events.empty() || !run_.steps.empty()) add_failure();
    choose_threads();
    return std::move(result_);
  }

 private:
  void learn_names() {
    for (const std::uint64_t step : relevant_.steps) {
      // Where memory is freed, the source names the pointer.
      if (run_.steps[step].kind == OpKind::kFree) continue;
      names_.add(object_of(run_, step), places_.of_step(step).expression);
    }
    for (const AccessReport* access : told_) {
      if (access->is_free == 0 && access->depth > 0 && !is_row(*access))
        names_.add(access->address, places_.of_access(*access).expression);
    }
    for (const ThreadReport& report : run_.threads) {
      const bool is_misuse = run_.kind == FailureKind::kLockMisuse && report.thread == run_.thread;
      if (waits_for_ever(report) || was_interrupted(report) || is_misuse)
        names_.add(pending_object(report), places_.of_pending(report).expression);
    }
  }

  // Was about to access an object that is part of the failure.
  bool was_interrupted(const ThreadReport& report) const {
    const bool could = report.status == ThreadStatus::kRunnable && report.thread != run_.thread &&
                       op_access(report.pending) != '-' && report.object != 0;
    return could && std::any_of(relevant_.steps.begin(), relevant_.steps.end(), [&](auto step) {
             return object_of(run_, step) == pending_object(report);
           });
  }

  bool waits_for_ever(const ThreadReport& report) const {
    return has_trait(run_.kind, kThreadsWait) && run_.concerns(report) &&
           report.status == ThreadStatus::kBlocked &&
           (report.in_cycle != 0 || report.pending != OpKind::kThreadJoin);
  }

  // Only the source has a name for what a null pointer points to.
  std::string name(std::uint64_t object, const std::string& expression) {
    return object == 0 ? expression : names_.name(object, expression);
  }

  // `last_end`: the step after the previous row.
  void add_step(std::uint64_t number, std::uint64_t last_end) {
    const Step& step = run_.steps[number];
    const Place place = places_.of_step(number);
    Event event;
    event.thread = step.thread;
    event.step = number + 1;
    event.is_switch = is_switch(number, last_end);
    event.op = step.kind;
    event.place = place.view;
    const AccessReport* access = told_access(number);
    event.is_accused = access != nullptr;
    event.is_undone = access != nullptr ? is_undone(*access) : is_cut_off(number);
    event.object = step.kind != OpKind::kFree ? name(object_of(run_, number), place.expression)
                   : access != nullptr        ? freed_object(*access)
                                              : freed_object(number);
    if (number < run_.values.size() && run_.values[number].size != 0) {
      const StepValue& value = run_.values[number];
      event.value_before = value_text(value.before, value.size);
      if (!event.is_undone) event.value_after = value_text(value.after, value.size);
    }
    const std::vector<std::uint64_t>& missed = relevant_.missed_signals;
    if (std::find(missed.begin(), missed.end(), number) != missed.end())
      event.note = "no waiter so far";
    if (takes_lock(step.kind) && ended_wait(number)) event.note = "after its wait";
    result_.events.push_back(std::move(event));
  }

  // The lock is the one that a wait for a condition variable gives back.
  bool ended_wait(std::uint64_t number) const {
    for (std::uint64_t i = number; i-- > 0;) {
      const Step& step = run_.steps[i];
      if (step.thread != run_.steps[number].thread || releases_lock(step.kind)) continue;
      return step.kind == OpKind::kCondWait;
    }
    return false;
  }

  // Since the last row the scheduler has preempted a thread in favour of this one.
  bool is_switch(std::uint64_t number, std::uint64_t last_end) const {
    const Event* last = last_row();
    if (last == nullptr || last->thread == run_.steps[number].thread) return false;
    for (std::uint64_t i = std::max<std::uint64_t>(last_end, 1); i <= number; ++i) {
      if (preemptions_.at(i) && run_.steps[i - 1].thread == last->thread) return true;
    }
    return false;
  }
  const Event* last_row() const {
    for (auto event = result_.events.rbegin(); event != result_.events.rend(); ++event) {
      if (event->kind == Event::Kind::kStep) return &*event;
    }
    return nullptr;
  }

  void fold_until(std::uint64_t to) {
    const std::uint64_t from = done_;
    if (from >= to) return;
    done_ = to;
    Event event;
    event.kind = Event::Kind::kFolded;
    event.step = from + 1;
    event.folded = to - from;
    event.thread = run_.steps[from].thread;
    for (std::uint64_t i = from; i < to; ++i) {
      if (run_.steps[i].thread != event.thread) event.thread = kNoTid;
    }
    if (const auto rounds = relevant_.rounds.find(to); rounds != relevant_.rounds.end())
      event.rounds = rounds->second;
    const auto left_out =
        std::lower_bound(relevant_.left_out.begin(), relevant_.left_out.end(), from);
    const bool matters = left_out != relevant_.left_out.end() && *left_out < to;
    event.is_minor = event.folded < kMinorFold && event.rounds == 0 && !matters;
    result_.events.push_back(std::move(event));
  }

  Event pending_event(const ThreadReport& report, Event::Kind kind) {
    const Place place = places_.of_pending(report);
    Event event;
    event.kind = kind;
    event.thread = report.thread;
    event.op = report.pending;
    event.place = place.view;
    event.object = name(pending_object(report), place.expression);
    return event;
  }

  void add_pending(const ThreadReport& report) {
    result_.events.push_back(pending_event(report, Event::Kind::kPending));
  }

  void add_wait(const ThreadReport& report) {
    Event event = pending_event(report, Event::Kind::kWaits);
    event.held_by = known_thread(report.owner);
    // A condition variable's waiter already has its step: that one row is enough.
    for (auto row = result_.events.rbegin(); row != result_.events.rend(); ++row) {
      if (row->thread != report.thread || row->kind != Event::Kind::kStep) continue;
      if (row->op == OpKind::kCondWait && row->object == event.object) {
        row->kind = Event::Kind::kWaits;
        return;
      }
      break;
    }
    result_.events.push_back(std::move(event));
  }

  // A bad unlock ends the run before it becomes a step.
  void add_misuse() {
    const ThreadReport* report = run_.thread_report(run_.thread);
    if (run_.kind != FailureKind::kLockMisuse || report == nullptr) return;
    if (!releases_lock(report->pending) || report->object != run_.lock) return;
    Event event = pending_event(*report, Event::Kind::kStep);
    event.is_accused = event.is_undone = true;
    result_.events.push_back(std::move(event));
  }

  void add_failure() {
    Event event;
    event.kind = Event::Kind::kFailure;
    event.thread = run_.thread;
    event.note = session::with_places(run_.message, run_.modules, symbolizer_);
    event.note = event.note.substr(0, event.note.find('\n'));
    if (event.note.empty()) event.note = name_of(run_.kind);
    const ThreadReport* report = run_.thread_report(run_.thread);
    const bool waiting = std::any_of(result_.events.begin(), result_.events.end(),
                                     [](auto& e) { return e.kind == Event::Kind::kWaits; });
    if (waiting) {
      event.thread = kNoTid;  // not caused by one thread
    } else if (report != nullptr) {
      const auto stack =
          stack_view(run_.modules, std::span(report->stack, report->depth), symbolizer_, source_);
      if (!stack.empty()) event.place = stack.front();
    }
    result_.events.push_back(std::move(event));
  }

  // Accesses that the report mentions need not be steps: then they get rows of their own. These are
  // the accesses of a race or of a heap error, and the freeing of its block.
  void find_told_accesses() {
    if (run_.kind == FailureKind::kRace && run_.race) {
      told_ = {&run_.race->first, &run_.race->second};
    } else if (run_.kind == FailureKind::kHeap && run_.heap) {
      freed_ = freeing_of(*run_.heap);
      if (run_.heap->memory.is_freed != 0) told_.push_back(&freed_);
      told_.push_back(&run_.heap->access);
    }
  }
  const AccessReport* told_access(std::uint64_t number) const {
    const auto found = std::find_if(told_.begin(), told_.end(), [&](const AccessReport* access) {
      return is_step_of(*access, run_, number);
    });
    return found == told_.end() ? nullptr : *found;
  }
  bool is_row(const AccessReport& access) const {
    return std::any_of(relevant_.steps.begin(), relevant_.steps.end(),
                       [&](std::uint64_t step) { return is_step_of(access, run_, step); });
  }
  // The run ended at the access, before anything was written.
  bool is_undone(const AccessReport& access) const {
    if (access.write == 0 || access.is_free != 0 || access.step != run_.steps.size()) return false;
    if (run_.kind == FailureKind::kHeap) return &access == &run_.heap->access;
    return &access == &run_.race->second && access.atomic == 0;
  }
  // The last step of a run that took too many.
  bool is_cut_off(std::uint64_t number) const {
    const OpKind kind = run_.steps[number].kind;
    return has_trait(run_.kind, kOutOfSteps) && number + 1 == run_.steps.size() &&
           is_memory_access(kind) && op_access(kind) == 'w';
  }
  // The whole block is freed, but the report is about the part that another thread accessed.
  std::string freed_object(const AccessReport& access) {
    if (run_.kind == FailureKind::kRace) {
      const bool is_first = &access == &run_.race->first;
      return names_.name(is_first ? run_.race->second.address : run_.race->first.address);
    }
    return run_.heap->access.is_free != 0 ? "" : names_.name(run_.heap->access.address);
  }
  std::string freed_object(std::uint64_t number) {
    const std::uint64_t begin = run_.steps[number].object;
    const std::uint64_t end = run_.steps[end_of_free(run_, number) - 1].object + 8;
    for (const std::uint64_t step : relevant_.steps) {
      const std::uint64_t object = object_of(run_, step);
      const bool is_access = run_.steps[step].kind != OpKind::kFree;
      if (is_access && object >= begin && object < end) return names_.name(object);
    }
    return "";
  }
  void add_told_accesses_before(std::uint64_t step) {
    for (; told_done_ < told_.size() && told_[told_done_]->step <= step; ++told_done_) {
      const AccessReport& access = *told_[told_done_];
      if (is_row(access)) continue;
      fold_until(access.step);
      add_access(access);
    }
  }
  void add_access(const AccessReport& access) {
    const Place place = places_.of_access(access);
    Event event;
    event.thread = access.thread;
    event.is_accused = true;
    event.op = access.sync == SyncKind::kNone ? operation_of(access) : OpKind::kNone;
    event.is_undone = is_undone(access);
    event.place = place.view;
    event.object =
        access.is_free != 0 ? freed_object(access) : name(access.address, place.expression);
    const bool is_second_free = run_.kind == FailureKind::kHeap && &access == &run_.heap->access &&
                                run_.heap->error == HeapError::kDoubleFree;
    if (is_second_free) event.note = "for the second time";
    result_.events.push_back(std::move(event));
  }

  // The threads with a step that is shown; the thread that failed may appear at the very end only.
  void choose_threads() {
    std::set<Tid> shown, all;
    for (const Event& event : result_.events) {
      if (event.kind != Event::Kind::kFolded && event.kind != Event::Kind::kFailure)
        shown.insert(event.thread);
    }
    for (const Step& step : run_.steps) all.insert(step.thread);
    for (const ThreadReport& report : run_.threads) all.insert(report.thread);
    for (const Tid thread : all) {
      InterleavingThread entry{thread, run_.thread_name(thread)};
      (shown.contains(thread) ? result_.threads : result_.others).push_back(std::move(entry));
    }
  }

  const FailedRun& run_;
  Symbolizer& symbolizer_;
  SourceText& source_;
  ObjectNames& names_;
  Places places_;
  RelevantSteps relevant_;
  Preemptions preemptions_;
  Interleaving result_;
  std::uint64_t done_ = 0;  // steps that have their row, or are folded
  AccessReport freed_{};
  std::vector<const AccessReport*> told_;  // in the order of the run
  std::size_t told_done_ = 0;
};

}  // namespace

Interleaving interleaving_of(const FailedRun& run, Symbolizer& symbolizer, SourceText& source,
                             ObjectNames& names) {
  return Builder(run, symbolizer, source, names).build();
}

}  // namespace snag::report
