#include "tool/report/view/relevance.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace snag::report {
namespace {

using session::FailedRun;

// The longest body of a loop, in steps, and the fewest rounds that count as a loop.
constexpr std::size_t kMaxLoopBody = 12;
constexpr std::size_t kMinRounds = 3;
// A failing thread's last steps, which are shown in any case.
constexpr std::size_t kLastSteps = 3;
// How many steps on the last object that it accessed are always shown, too.
constexpr std::size_t kMaxFocus = kMaxRows / 2;
constexpr double kForced = std::numeric_limits<double>::infinity();

// Uninteresting by themselves: the beginnings and ends of threads, and waiting for them.
bool is_minor(OpKind kind) {
  switch (kind) {
    case OpKind::kNone:
    case OpKind::kThreadStart:
    case OpKind::kThreadExit:
    case OpKind::kThreadCreate:
    case OpKind::kThreadJoin:
    case OpKind::kThreadTryJoin:
    case OpKind::kFence:
    case OpKind::kYield:
      return true;
    default:
      return false;
  }
}

// Interesting even if no object is shared: time or the outside world is involved.
bool always_matters(OpKind kind) {
  return kind == OpKind::kSleep || kind == OpKind::kTimeout || kind == OpKind::kEvent ||
         kind == OpKind::kSpuriousWakeup || kind == OpKind::kSpuriousFailure ||
         kind == OpKind::kCancel || kind == OpKind::kSignal || kind == OpKind::kCondWait ||
         kind == OpKind::kCondSignal || kind == OpKind::kCondBroadcast;
}

// What is known about each object: the threads that touch it, and where the order of two threads
// mattered.
class Conflicts {
 public:
  explicit Conflicts(const FailedRun& run) : meets_(run.steps.size(), false) {
    for (std::uint64_t i = 0; i < run.steps.size(); ++i) {
      const Step& step = run.steps[i];
      const char access = op_access(step.kind);
      const std::uint64_t object = object_of(run, i);
      if (object == 0 || access == '-') continue;
      Object& known = objects_[object];
      known.written = known.written || access == 'w';
      if (known.last_step != kNobody && run.steps[known.last_step].thread != step.thread) {
        known.shared = true;
        if (access == 'w' || op_access(run.steps[known.last_step].kind) == 'w') {
          meets_[i] = true;
          meets_[known.last_step] = true;
        }
      }
      known.last_step = i;
    }
  }
  bool is_contended(std::uint64_t object) const {
    const auto found = objects_.find(object);
    return found != objects_.end() && found->second.shared && found->second.written;
  }
  // The step comes right before or after one of another thread on the same object.
  bool meets(std::uint64_t step) const { return meets_[step]; }

 private:
  static constexpr std::uint64_t kNobody = std::numeric_limits<std::uint64_t>::max();
  struct Object {
    std::uint64_t last_step = kNobody;
    bool shared = false, written = false;
  };
  std::unordered_map<std::uint64_t, Object> objects_;
  std::vector<bool> meets_;
};

// Leaves only the last iteration of every loop.
void fold_loops(const FailedRun& run, RelevantSteps& relevant) {
  const auto key = [&](std::uint64_t i) {
    const Step& step = run.steps[i];
    return std::tuple(step.thread, step.kind, step.pc, step.object);
  };
  const std::vector<std::uint64_t>& all = relevant.steps;
  std::vector<std::uint64_t> kept;
  std::size_t i = 0;
  while (i < all.size()) {
    std::size_t body = 0, rounds = 0;
    for (std::size_t length = 1; length <= kMaxLoopBody && rounds == 0; ++length) {
      std::size_t same = 0;
      while (i + same + length < all.size() && key(all[i + same]) == key(all[i + same + length]))
        ++same;
      if (same / length + 1 >= kMinRounds) {
        body = length;
        rounds = same / length + 1;
      }
    }
    if (rounds == 0) {
      kept.push_back(all[i++]);
      continue;
    }
    i += (rounds - 1) * body;
    relevant.rounds[all[i]] = rounds - 1;
    for (std::size_t j = 0; j < body; ++j) kept.push_back(all[i++]);
  }
  relevant.steps = std::move(kept);
}

// The last step before the end of which `wanted` is true; false if there is none.
template <class F>
bool find_last(const FailedRun& run, F wanted, std::uint64_t* found) {
  for (std::uint64_t i = run.steps.size(); i-- > 0;) {
    if (!wanted(run.steps[i])) continue;
    *found = i;
    return true;
  }
  return false;
}

// The steps that are always shown, because the failure is about them.
class Forced {
 public:
  Forced(const FailedRun& run, const Conflicts& conflicts, RelevantSteps& relevant)
      : run_(run), conflicts_(conflicts), relevant_(relevant) {
    for (const ThreadReport& report : run.threads) {
      if (report.status == ThreadStatus::kFinished) continue;
      if (run.is_stuck(report)) add_held(report);
      if (report.hint_pc != 0 && report.hint_thread != kNoTid) add_missed_signal(report);
    }
    if (run.thread_report(run.thread) != nullptr && !has_trait(run.kind, kOutOfSteps))
      add_last_steps(run.thread);
    if (run.race && run.kind == FailureKind::kRace) {
      add_access(run.race->first);
      add_access(run.race->second);
    }
    if (run.heap && run.kind == FailureKind::kHeap) add_access(freeing_of(*run.heap));
    if (run.lock != 0) add_lock(run.lock);
    add_focus();
  }
  const std::set<std::uint64_t>& steps() const { return steps_; }

 private:
  // Where the holder of what the thread waits for took it.
  void add_held(const ThreadReport& waiter) {
    std::uint64_t step = 0;
    if (waiter.owner != kNoTid && waiter.object != 0 &&
        find_last(
            run_,
            [&](const Step& s) {
              return s.thread == waiter.owner && s.object == waiter.object && takes_lock(s.kind);
            },
            &step)) {
      steps_.insert(step);
    }
  }
  void add_access(const AccessReport& access) {
    if (access.step == 0 || access.step > run_.steps.size()) return;
    const std::uint64_t step = begin_of_free(run_, access.step - 1);
    if (is_step_of(access, run_, step)) steps_.insert(step);
  }
  // The lock that was misused: who took it last, and who released it.
  void add_lock(std::uint64_t lock) {
    std::uint64_t step = 0;
    const auto is_one = [&](const Step& s, bool (*kind)(OpKind)) {
      return s.object == lock && kind(s.kind);
    };
    if (find_last(
            run_, [&](const Step& s) { return is_one(s, takes_lock); }, &step))
      steps_.insert(step);
    if (find_last(
            run_, [&](const Step& s) { return is_one(s, releases_lock); }, &step))
      steps_.insert(step);
  }
  // The object that the failing thread accessed last: all operations on it, if there are not too
  // many.
  void add_focus() {
    if (focus_ == 0) return;
    std::vector<std::uint64_t> found;
    for (std::uint64_t i = 0; i < run_.steps.size() && found.size() <= kMaxFocus; ++i) {
      if (object_of(run_, i) == focus_) found.push_back(i);
    }
    if (found.size() <= kMaxFocus) steps_.insert(found.begin(), found.end());
  }
  void add_missed_signal(const ThreadReport& waiter) {
    std::uint64_t step = 0;
    if (find_last(
            run_,
            [&](const Step& s) {
              return s.thread == waiter.hint_thread && s.object == waiter.object &&
                     s.kind != OpKind::kCondWait;
            },
            &step)) {
      steps_.insert(step);
      relevant_.missed_signals.push_back(step);
    }
  }
  // The last accesses of the failing thread, and the writes whose values it saw.
  void add_last_steps(Tid thread) {
    std::size_t count = 0;
    for (std::uint64_t i = run_.steps.size(); i-- > 0 && count < kLastSteps;) {
      if (run_.steps[i].thread != thread || !is_memory_access(run_.steps[i].kind)) continue;
      const std::uint64_t object = object_of(run_, i);
      // The very last access may be the fatal one, even if no other thread uses that memory.
      if (count++ > 0 && !conflicts_.is_contended(object)) continue;
      steps_.insert(i);
      if (focus_ == 0 && conflicts_.is_contended(object)) focus_ = object;
      for (std::uint64_t j = i; j-- > 0;) {
        if (object_of(run_, j) != object || op_access(run_.steps[j].kind) != 'w') continue;
        if (run_.steps[j].thread != thread) steps_.insert(j);
        break;
      }
    }
  }

  const FailedRun& run_;
  const Conflicts& conflicts_;
  RelevantSteps& relevant_;
  std::set<std::uint64_t> steps_;
  std::uint64_t focus_ = 0;
};

// If there is room: locks that only one thread takes, which shows that the other one does not take
// them.
void add_private_locks(const FailedRun& run, std::size_t max_rows, RelevantSteps& relevant) {
  std::set<Tid> threads;
  for (const std::uint64_t step : relevant.steps) threads.insert(run.steps[step].thread);
  std::vector<std::uint64_t> steps = relevant.steps;
  const std::set<std::uint64_t> shown(steps.begin(), steps.end());
  for (std::uint64_t i = 0; i < run.steps.size() && steps.size() <= max_rows; ++i) {
    const Step& step = run.steps[i];
    const bool is_lock = takes_lock(step.kind) && step.kind != OpKind::kOnce &&
                         step.kind != OpKind::kStaticGuard && step.kind != OpKind::kSemWait;
    if (is_lock && threads.contains(step.thread) && !shown.contains(i)) steps.push_back(i);
  }
  if (steps.size() > max_rows) return;
  std::sort(steps.begin(), steps.end());
  relevant.steps = std::move(steps);
}

// The best rows, by what they are and how near to the end they are.
void keep_best(const FailedRun& run, const Conflicts& conflicts,
               const std::set<std::uint64_t>& forced, std::size_t max_rows,
               RelevantSteps& relevant) {
  const bool about_locks = has_trait(run.kind, kAboutLocks);
  // The thread that happened to run last means nothing: just the last rows.
  const bool is_endless = has_trait(run.kind, kEndless);
  std::vector<std::pair<double, std::uint64_t>> scores;
  const std::size_t count = relevant.steps.size();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t number = relevant.steps[i];
    const Step& step = run.steps[number];
    double score = forced.contains(number) ? kForced : 0;
    if (!is_endless) {
      if (conflicts.meets(number)) score += 2;
      if (is_memory_access(step.kind) != about_locks) score += 1;
      if (releases_lock(step.kind)) score -= 2;
      if (is_concerned(run, step.thread)) score += 1;
    }
    // Twice as far from the end: one less.
    score -= std::log2(1 + static_cast<double>(count - 1 - i) / static_cast<double>(max_rows));
    scores.emplace_back(score, number);
  }
  std::sort(scores.begin(), scores.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first > b.first : a.second > b.second;
  });
  scores.resize(max_rows);
  relevant.steps.clear();
  for (const auto& [score, number] : scores) relevant.steps.push_back(number);
  std::sort(relevant.steps.begin(), relevant.steps.end());
}

}  // namespace

bool is_concerned(const FailedRun& run, Tid thread) {
  if (thread == run.thread) return true;
  if (run.heap && run.heap->memory.is_freed != 0 && thread == run.heap->memory.free_thread)
    return true;
  if (run.race && (thread == run.race->first.thread || thread == run.race->second.thread))
    return true;
  const ThreadReport* report = run.thread_report(thread);
  return report != nullptr && run.concerns(*report);
}

RelevantSteps relevant_steps(const FailedRun& run, std::size_t max_rows) {
  RelevantSteps relevant;
  const Conflicts conflicts(run);
  const Forced forced(run, conflicts, relevant);
  std::unordered_map<Tid, OpKind> last;  // of each thread
  std::set<std::uint64_t> pending;       // objects of steps that were never taken
  for (const ThreadReport& report : run.threads) {
    if (report.status == ThreadStatus::kRunnable) pending.insert(pending_object(report));
  }
  for (std::uint64_t i = 0; i < run.steps.size(); ++i) {
    const Step& step = run.steps[i];
    const OpKind before = std::exchange(last[step.thread], step.kind);
    // A wait releases its lock: one row says it all.
    if (is_minor(step.kind) || (before == OpKind::kCondWait && releases_lock(step.kind))) continue;
    const bool matters = always_matters(step.kind) || forced.steps().contains(i) ||
                         conflicts.is_contended(object_of(run, i)) ||
                         (is_memory_access(step.kind) && pending.contains(object_of(run, i)));
    const std::uint64_t row = begin_of_free(run, i);
    if (matters && (relevant.steps.empty() || relevant.steps.back() != row))
      relevant.steps.push_back(row);
  }
  const std::vector<std::uint64_t> all = relevant.steps;
  fold_loops(run, relevant);
  add_private_locks(run, max_rows, relevant);
  if (relevant.steps.size() > max_rows)
    keep_best(run, conflicts, forced.steps(), max_rows, relevant);
  std::erase_if(relevant.rounds, [&](const auto& entry) {
    return !std::binary_search(relevant.steps.begin(), relevant.steps.end(), entry.first);
  });
  std::set_difference(all.begin(), all.end(), relevant.steps.begin(), relevant.steps.end(),
                      std::back_inserter(relevant.left_out));
  return relevant;
}

}  // namespace snag::report
