// Runs of small programs under the real scheduler, with real contexts and real failure reports, and
// a strategy that does what a list says. Each run has a process of its own, which a failure ends.
// Test-only: ordinary C++. Only one file of a test program may include it.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/arena.h"
#include "runtime/base/real.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {
namespace scripted {

// What the strategy was asked.
struct Asked {
  std::vector<Tid> enabled;   // in order
  std::vector<Tid> timeouts;  // of these, who would time out
  Tid current = kNoTid;
  bool current_enabled = false;
};

// What remains of a run.
struct Outcome {
  RunEnd end = RunEnd::kRunning;
  FailureKind failure = FailureKind::kNone;
  std::string message;
  std::vector<std::string> notes;
  std::vector<Asked> asked;
  std::vector<std::pair<Tid, OpKind>> steps;
  std::vector<Tid> early_ends, late_ends, overtaking_ends;  // whose waits ended so
  std::vector<Choice> choices;
  std::vector<ThreadReport> threads;  // of the failure
};

enum class Early : std::uint8_t {
  kNever,   // a deadline passes only when nothing else can happen
  kDrawn,   // some may pass at any step
  kAlways,  // each may
};

struct Rules {
  std::vector<Tid> picks = {};  // then: the current thread, or else the first that is enabled
  std::vector<std::uint32_t> choices = {};  // then: 0
  Early early = Early::kNever;
  StrategyKind kind = StrategyKind::kPct;  // which is asked at every step
  std::uint64_t max_steps = 0;
  std::uint64_t seed = 1;
  std::uint8_t most_spurious = 0;
  Timeouts timeouts = Timeouts::kEarly;
  bool systematic = true;  // no spinning thread goes on alone for a while
};

// Shared with the process of the run.
struct Record {
  static constexpr std::uint32_t kMax = 1024;
  struct Question {
    Tid enabled[16];
    bool timeout[16];
    std::uint32_t count;
    Tid current;
    bool current_enabled;
  };
  std::uint32_t note_count, question_count;
  char notes[kMax][64];
  Question questions[kMax];
};
inline Record* record = nullptr;

class ScriptedStrategy final : public Strategy {
 public:
  explicit ScriptedStrategy(const Rules& rules) : Strategy(rules.kind), rules_(rules) {}
  void begin(const RunPlan&) override {}
  Tid pick(const World& world) override {
    if (record->question_count < Record::kMax) {
      Record::Question& question = record->questions[record->question_count++];
      question.count = 0;
      for (const Tid t : world.enabled) {
        if (question.count == 16) break;
        question.timeout[question.count] = world.timeout[t] != 0;
        question.enabled[question.count++] = t;
      }
      question.current = world.current;
      question.current_enabled = world.current_enabled;
    }
    if (next_pick_ < rules_.picks.size()) return rules_.picks[next_pick_++];
    if (world.current_enabled) return world.current;
    return *std::min_element(world.enabled.begin(), world.enabled.end());
  }
  std::uint32_t choose(const World&, std::uint32_t) override {
    return next_choice_ < rules_.choices.size() ? rules_.choices[next_choice_++] : 0;
  }

 private:
  const Rules& rules_;
  std::size_t next_pick_ = 0, next_choice_ = 0;
};

// ---- What programs are made of: thin versions of the interposers. ----

constexpr std::uint64_t kPc = 0x1000;  // no code of anybody

inline void note(const std::string& text) {
  if (record->note_count == Record::kMax) return;
  char(&to)[64] = record->notes[record->note_count++];
  std::strncpy(to, text.c_str(), sizeof to - 1);
}

inline std::function<void()> bodies[64];

inline SyncObject* handle_object(const Context* context) {
  return sync_object(reinterpret_cast<const void*>(context->handle));
}

inline Tid spawn(std::function<void()> body) {
  Context* context = obtain_context(nullptr);
  Thread* t = add_thread(context, sched.current);
  silent_step(OpKind::kThreadCreate, nullptr, kPc);
  bodies[t->tid] = std::move(body);
  handle_object(context)->owner = t->tid;
  return t->tid;
}

inline void join(Tid tid) {
  SyncObject* object = handle_object(sched.threads[tid].context);
  step_when(
      OpKind::kThreadJoin, object,
      [](const SyncObject* o, const Thread*) {
        return sched.threads[o->owner].state == Thread::kFinished;
      },
      kPc);
}

// Of these only the addresses count.
struct Mutex {
  char byte;
};
struct Condition {
  char byte;
};

inline bool is_free(const SyncObject* object, const Thread*) { return object->owner == kNoTid; }

inline void own(SyncObject* object) {
  object->what = LockKind::kMutex;
  object->owner = sched.current->tid;
  object->owner_pc = kPc;
  object_changed(object);
  note_write();
}

inline Wake lock(Mutex& mutex, std::int64_t deadline = kNever) {
  SyncObject* object = sync_object(&mutex);
  const Wake wake = step_when(OpKind::kMutexLock, object, is_free, kPc, deadline);
  if (wake == Wake::kGranted) own(object);
  return wake;
}

inline void unlock(Mutex& mutex) {
  silent_step(OpKind::kMutexUnlock, &mutex, kPc);
  SyncObject* object = sync_object(&mutex);
  object->owner = kNoTid;
  object_changed(object);
  note_write();
}

inline Wake wait(Condition& condition, Mutex& mutex, std::int64_t deadline = kNever) {
  SyncObject* lock = sync_object(&mutex);
  step(OpKind::kCondWait, &condition, kPc);
  unlock(mutex);
  sched.pending[sched.current->tid].kind = OpKind::kCondWait;
  const Wake wake = wait_in_queue(sync_object(&condition), kPc, deadline, lock, is_free);
  if (wake != Wake::kGranted) step_when(OpKind::kMutexLock, lock, is_free, kPc);
  own(lock);
  return wake;
}

inline void signal(Condition& condition, std::uint32_t count = 1) {
  step(count == 1 ? OpKind::kCondSignal : OpKind::kCondBroadcast, &condition, kPc);
  SyncObject* object = sync_object(&condition);
  if (!object->waiters) {
    object->hint_pc = kPc;
    object->hint_thread = sched.current->tid;
  }
  wake_queue(object, count);
  note_write();
}
inline void broadcast(Condition& condition) { signal(condition, ~0u); }

// A step that the others can see.
inline void write(const void* at) {
  step(OpKind::kAtomicStore, at, kPc);
  note_write();
}
// One that they cannot.
inline void read(const void* at) {
  step(OpKind::kAtomicLoad, at, kPc);
  note_read(kPc, reinterpret_cast<std::uint64_t>(at));
}

// ---- Running them. ----

// Numbers that let no deadline pass early, for some draws.
inline Random random_without_early_deadlines() {
  for (std::uint64_t seed = 0;; ++seed) {
    Random random(seed);
    bool early = false;
    for (int i = 0; i < 8; ++i) early |= random.below(2) == 0;
    if (!early) return Random(seed);
  }
}

[[noreturn]] inline void run_in_child(Shared* shared, const Rules& rules,
                                      const std::function<void()>& program) {
  resolve_real_functions();
  if (init_contexts(Backend::kUser) != Backend::kUser) raw_exit_process(99);
  static Context main_context;
  adopt_context(&main_context);
  static ScriptedStrategy strategy(rules);
  begin_world(&main_context, &strategy, {0, rules.seed}, shared);
  sched.systematic = rules.systematic;
  sched.early_timeouts = rules.early == Early::kAlways;
  sched.most_spurious = rules.most_spurious;
  if (rules.early == Early::kNever) sched.random = random_without_early_deadlines();
  handle_object(&main_context)->owner = 0;
  set_controlled(true);
  program();
  shared->run.end.store(RunEnd::kExited);
  raw_exit_process(0);
}

inline Outcome outcome_of(Shared* shared) {
  Outcome outcome;
  outcome.end = shared->run.end;
  outcome.failure = shared->run.failure.kind;
  outcome.message = shared->run.failure.message;
  for (std::uint32_t i = 0; i < record->note_count; ++i) outcome.notes.push_back(record->notes[i]);
  for (std::uint32_t i = 0; i < record->question_count; ++i) {
    const Record::Question& question = record->questions[i];
    Asked asked;
    asked.current = question.current;
    asked.current_enabled = question.current_enabled;
    for (std::uint32_t n = 0; n < question.count; ++n) {
      asked.enabled.push_back(question.enabled[n]);
      if (question.timeout[n]) asked.timeouts.push_back(question.enabled[n]);
    }
    std::sort(asked.enabled.begin(), asked.enabled.end());
    std::sort(asked.timeouts.begin(), asked.timeouts.end());
    outcome.asked.push_back(asked);
  }
  for (std::uint64_t i = 0; i < shared->run.steps; ++i) {
    const Step& step = shared->steps()[i];
    outcome.steps.push_back({step.thread, step.kind});
    if (step.flags & kEarlyEnd) outcome.early_ends.push_back(step.thread);
    if (step.flags & kLateEnd) outcome.late_ends.push_back(step.thread);
    if (step.flags & kOvertakingEnd) outcome.overtaking_ends.push_back(step.thread);
  }
  outcome.choices.assign(shared->choices, shared->choices + shared->run.choices);
  outcome.threads.assign(shared->threads, shared->threads + shared->run.failure.threads);
  return outcome;
}

inline Outcome run(const Rules& rules, const std::function<void()>& program) {
  constexpr std::uint64_t kSteps = 1 << 20;
  const std::uint64_t size = Shared::size_for(kSteps, 0);
  auto* shared = reinterpret_cast<Shared*>(map_shared<char>(size));
  record = map_shared<Record>(1);
  shared->step_capacity = kSteps;
  shared->config.settings.max_steps = rules.max_steps;
  shared->config.settings.timeouts = rules.timeouts;
  const pid_t child = fork();
  if (child == 0) run_in_child(shared, rules, program);
  int status = 0;
  waitpid(child, &status, 0);
  Outcome outcome = outcome_of(shared);
  // A crash, or an end that nobody expects.
  EXPECT_TRUE(WIFEXITED(status) &&
              WEXITSTATUS(status) == (outcome.end == RunEnd::kExited ? 0 : kFailureStatus))
      << "the run's process ended with status " << status;
  munmap(shared, size);
  munmap(record, sizeof *record);
  return outcome;
}

}  // namespace scripted

void run_occupant(Context* context) {
  begin_thread();
  scripted::bodies[context->occupant->tid]();
  SyncObject* object = scripted::handle_object(context);
  silent_step(OpKind::kThreadExit, reinterpret_cast<void*>(context->handle), 0);
  finish_thread();
  object_changed(object);
  leave_finished_thread();
}

}  // namespace snag::rt
