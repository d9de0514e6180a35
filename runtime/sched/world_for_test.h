// A controlled world for the tests of what lies above the scheduler: nothing runs in it. The test
// makes threads and says which of them is the current one. Test-only: ordinary C++.
//
// It also stands in for runtime/sched/failure.cc: what would end the process ends the call of
// `ends_run` instead. So only one file of a test program may include it.
#pragma once

#include <setjmp.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "runtime/base/arena.h"
#include "runtime/base/check.h"
#include "runtime/base/modules.h"
#include "runtime/sched/failure.h"
#include "runtime/sched/scheduler.h"

namespace snag::rt {

// ---- Failures. ----

struct EndOfRun {
  FailureKind kind = FailureKind::kNone;
  std::string message;
};

inline constinit jmp_buf* where_runs_end = nullptr;
inline EndOfRun& last_end() {
  static EndOfRun end;
  return end;
}

[[noreturn]] inline void end_run(FailureKind kind, const char* message) {
  last_end() = {kind, message};
  if (where_runs_end == nullptr) {
    std::fprintf(stderr, "the run ended unexpectedly: %s\n", message);
    std::abort();
  }
  longjmp(*where_runs_end, 1);
}

// Whether this ends the run: then last_end() says how.
template <class Function>
[[gnu::noinline]] bool ends_run(const Function& function) {
  jmp_buf here;
  last_end() = {};
  where_runs_end = &here;
  const bool ended = setjmp(here) != 0;
  if (!ended) function();
  where_runs_end = nullptr;
  return ended;
}

void fail(FailureKind kind, int, const char* message, std::uint64_t) { end_run(kind, message); }
void fail_deadlock(Thread*) { end_run(FailureKind::kDeadlock, "deadlock"); }
void fail_self_deadlock(Thread*) { end_run(FailureKind::kDeadlock, "self-deadlock"); }
void fail_cut_short() { end_run(FailureKind::kCutShort, "cut short"); }
bool on_cycle(Thread*) { return false; }
void fail_livelock(const char* why) { end_run(FailureKind::kLivelock, why); }
void fail_diverged(Tid) { end_run(FailureKind::kNone, "diverged"); }
void count_uncontrolled(Uncontrolled) {}
void check_failed(const char*, const char* message, const char*, int) {
  end_run(FailureKind::kInternal, message);
}
void run_occupant(Context*) { end_run(FailureKind::kInternal, "a context was switched to"); }

// ---- The world. ----

// Whoever can go on goes on.
class NoStrategy final : public Strategy {
 public:
  constexpr NoStrategy() : Strategy(StrategyKind::kRandom) {}
  void begin(const RunPlan&) override {}
  Tid pick(const World& world) override {
    return world.current_enabled ? world.current : world.enabled[0];
  }
  std::uint32_t choose(const World&, std::uint32_t) override { return 0; }
};

class HandMadeWorld {
 public:
  // Instrumented code, of which nothing is executed.
  static constexpr std::uint64_t kCode = 0x10000;
  static constexpr std::uint64_t kCodeSize = 1 << 24;
  static constexpr std::uint32_t kMaxMade = 16;  // threads

  // `configure` fills in the configuration.
  template <class Configure>
  explicit HandMadeWorld(const Configure& configure) {
    configure(shared().config);
    code_ranges[0] = {kCode, kCodeSize, 0, flags()};
    code_range_count = 1;
    sched.shared = &shared();
  }

  static Shared& shared() {
    static Shared* memory = [] {
      auto* made = static_cast<Shared*>(map_memory(Shared::size_for(kSteps, 0)));
      made->step_capacity = kSteps;
      return made;
    }();
    return *memory;
  }

  // After the observers have begun theirs. There is one thread, number 0.
  void begin_run() {
    memset(static_cast<void*>(&shared().run), 0, sizeof(Run));
    memset(static_cast<void*>(contexts_), 0, sizeof contexts_);
    begin_world(&contexts_[0], &strategy_, {}, &shared());
    controlled = true;
  }

  // In context number `context`: one of its own, or that of a thread that is over.
  Thread* add_thread(Tid creator, std::uint32_t context) {
    return rt::add_thread(&contexts_[context], &sched.threads[creator]);
  }
  Thread* add_thread(Tid creator) { return add_thread(creator, sched.thread_count); }
  Context& context(std::uint32_t number) { return contexts_[number]; }

  static void become(Tid thread) { sched.current = &sched.threads[thread]; }

 private:
  static constexpr std::uint64_t kSteps = 1024;
  static std::uint8_t* flags() {
    static auto* memory = map_private<std::uint8_t>(kCodeSize);
    return memory;
  }

  NoStrategy strategy_;
  Context contexts_[kMaxMade]{};
};

}  // namespace snag::rt
