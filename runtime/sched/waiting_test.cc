// Threads that wait: who is woken, when deadlines pass, and what is a deadlock.
#include <gmock/gmock.h>

#include "runtime/sched/scheduler.h"
#include "runtime/sched/scripted_run_for_test.h"
#include "runtime/sched/upcalls.h"

namespace snag::rt {
namespace {

using namespace scripted;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::Pair;
using testing::UnorderedElementsAre;

Mutex a, b, c;
Condition condition;
char x;

std::string me() { return std::to_string(sched.current->tid); }
std::string text_of(Wake wake) {
  static constexpr const char* kNames[] = {"granted", "timeout", "cancelled", "interrupted",
                                           "spurious"};
  return kNames[static_cast<int>(wake)];
}

std::string now() { return " at " + std::to_string(sched.now); }
void note_end(Wake wake) { note(text_of(wake) + now()); }

// Starts these threads; they wait until main has started all of them and waits for their ends.
template <class... Bodies>
void threads(Bodies... bodies) {
  const std::uint32_t first = sched.thread_count;
  (spawn(bodies), ...);
  for (std::uint32_t t = first; t < first + sizeof...(bodies); ++t) join(static_cast<Tid>(t));
}

// ---- Locks. ----

TEST(Lock, KeepsOthersOutUntilItIsGivenBack) {
  const auto body = [] {
    lock(a);
    note(me() + " in");
    write(&x);
    note(me() + " out");
    unlock(a);
  };
  // Both begin; 1 takes the lock; 2 cannot; 1 goes on to its end.
  const Outcome outcome = run({.picks = {1, 2, 1, 1, 2}}, [=] { threads(body, body); });
  EXPECT_EQ(outcome.end, RunEnd::kExited);
  EXPECT_THAT(outcome.notes, ElementsAre("1 in", "1 out", "2 in", "2 out"));
  ASSERT_GE(outcome.asked.size(), 4u);
  EXPECT_THAT(outcome.asked[2].enabled, ElementsAre(1, 2));
  EXPECT_THAT(outcome.asked[3].enabled, ElementsAre(1));  // 2 wants what 1 has
}

TEST(Lock, MayBeTakenByAnyOfThoseWhoWait) {
  const auto body = [] {
    lock(a);
    note(me());
    unlock(a);
  };
  for (const Tid first : {Tid{1}, Tid{2}, Tid{3}}) {
    const Outcome outcome = run({.picks = {0, 1, 2, 3, 0, first}}, [=] {
      lock(a);
      for (int i = 0; i < 3; ++i) spawn(body);
      write(&x);
      unlock(a);
      for (const Tid t : {1, 2, 3}) join(t);
    });
    EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
    ASSERT_EQ(outcome.notes.size(), 3u);
    EXPECT_EQ(outcome.notes[0], std::to_string(first));
  }
}

// ---- Conditions. ----

// Threads 1 to `waiters` wait; then main signals.
std::function<void()> signalled(int waiters, std::function<void()> signal_them) {
  return [=] {
    for (int i = 0; i < waiters; ++i) {
      spawn([] {
        lock(a);
        wait(condition, a);
        note(me());
        unlock(a);
      });
    }
    while (queue_length(sync_object(&condition)) < static_cast<std::uint32_t>(waiters))
      yield_step(kPc);
    signal_them();
    for (int i = 1; i <= waiters; ++i) join(static_cast<Tid>(i));
  };
}

TEST(ConditionVariable, TheChosenOneGoesOnAndTheOthersWait) {
  for (const Tid woken : {Tid{1}, Tid{2}, Tid{3}}) {
    const Outcome outcome = run({.choices = {static_cast<std::uint32_t>(woken - 1)}}, [] {
      for (int i = 0; i < 3; ++i) {
        spawn([] {
          lock(a);
          wait(condition, a);
          note(me());
          unlock(a);
        });
        while (queue_length(sync_object(&condition)) != sched.thread_count - 1) yield_step(kPc);
      }
      signal(condition);
      note("signalled");
      yield_step(kPc);
      sleep_until(virtual_now() + 1000, kPc);
      note("all");
      broadcast(condition);
      for (const Tid t : {1, 2, 3}) join(t);
    });
    EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
    ASSERT_EQ(outcome.notes.size(), 5u);
    EXPECT_EQ(outcome.notes[1], std::to_string(woken));
    EXPECT_EQ(outcome.notes[2], "all");
    ASSERT_EQ(outcome.choices.size(), 1u);  // the broadcast leaves nothing to choose
    EXPECT_EQ(outcome.choices[0].count, 3u);
  }
}

TEST(ConditionVariable, AWokenThreadWaitsForTheMutex) {
  const Outcome outcome = run(
      {}, signalled(1, [] {
        lock(a);
        signal(condition);
        note(sched.pending[1].kind == OpKind::kMutexLock ? "wants the mutex" : "wants something");
        write(&x);
        write(&x);
        note("unlock");
        unlock(a);
      }));
  EXPECT_THAT(outcome.notes, ElementsAre("wants the mutex", "unlock", "1"));
}

TEST(ConditionVariable, AFutexWakesByItsBits) {
  const Outcome outcome = run({}, [] {
    for (std::uint32_t bits : {1u, 2u, 1u}) {
      spawn([bits] {
        step(OpKind::kFutexWait, &x, kPc);
        sched.current->bitset = bits;
        wait_in_queue(sync_object(&x), kPc, kNever, nullptr, nullptr);
        note(me());
      });
      yield_step(kPc);
      yield_step(kPc);
    }
    note("woken: " + std::to_string(wake_queue(sync_object(&x), 5, 2)));
    join(2);
    note("moved: " + std::to_string(move_queue(sync_object(&x), sync_object(&condition), 1)));
    note("left: " + std::to_string(queue_length(sync_object(&x))));
    wake_queue(sync_object(&x), 5);
    join(3);
    wake_queue(sync_object(&condition), 5);
    join(1);
  });
  EXPECT_THAT(outcome.notes, ElementsAre("woken: 1", "2", "moved: 1", "left: 1", "3", "1"));
}

// ---- Time. ----

TEST(Time, PassesInTheOrderOfTheDeadlines) {
  const auto sleeper = [](std::int64_t until) {
    return [=] {
      sleep_until(until, kPc);
      note(me() + now());
    };
  };
  const Outcome outcome = run({}, [=] { threads(sleeper(300), sleeper(100), sleeper(200)); });
  EXPECT_THAT(outcome.notes, ElementsAre("2 at 100", "3 at 200", "1 at 300"));
}

TEST(Time, EqualDeadlinesPassInTheOrderOfTheThreads) {
  for (const std::vector<Tid>& start : {std::vector<Tid>{1, 2, 3}, {3, 2, 1}, {2, 3, 1}}) {
    const auto sleeper = [] {
      sleep_until(500, kPc);
      note(me() + now());
    };
    const Outcome outcome = run({.picks = start}, [=] { threads(sleeper, sleeper, sleeper); });
    EXPECT_THAT(outcome.notes, ElementsAre("1 at 500", "2 at 500", "3 at 500"));
  }
}

TEST(Time, DoesNotPassWhileAnybodyCanGoOn) {
  const Outcome outcome = run({}, [] {
    threads([] { sleep_until(100, kPc), note("slept" + now()); },
            [] {
              for (int i = 0; i < 50; ++i) write(&x);
              note("wrote" + now());
            });
  });
  EXPECT_THAT(outcome.notes, ElementsAre("wrote at 0", "slept at 100"));
}

TEST(Time, EndsAWaitThatNobodyElseEnds) {
  const Outcome outcome = run({}, [] {
    lock(a);
    note_end(wait(condition, a, 700));
    note(sync_object(&a)->owner == 0 ? "has the mutex" : "has it not");
    unlock(a);
  });
  EXPECT_THAT(outcome.notes, ElementsAre("timeout at 700", "has the mutex"));
  EXPECT_THAT(outcome.steps,
              ElementsAre(Pair(0, OpKind::kMutexLock), Pair(0, OpKind::kCondWait),
                          Pair(0, OpKind::kMutexUnlock), Pair(0, OpKind::kTimeout),
                          Pair(0, OpKind::kMutexLock), Pair(0, OpKind::kMutexUnlock)));
}

TEST(Time, PassesWithTheStepsOfThreadsThatCanRun) {
  const Outcome outcome = run({}, [] {
    static bool slept;
    slept = false;
    threads([] { sleep_until(50'000'000, kPc), slept = true; },
            [] {
              while (!slept) write(&x);
              note("seen");
            });
  });
  EXPECT_EQ(outcome.end, RunEnd::kExited);
  EXPECT_THAT(outcome.notes, ElementsAre("seen"));
}

TEST(Spurious, AWaitEndsWithoutAReasonSoOftenAndNoMore) {
  const Outcome outcome = run({.most_spurious = 1}, [] {
    lock(a);
    note_end(wait(condition, a));
    note(sync_object(&a)->owner == 0 ? "has the mutex" : "has it not");
    note_end(wait(condition, a));
  });
  EXPECT_THAT(outcome.notes, ElementsAre("spurious at 0", "has the mutex"));
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_THAT(outcome.steps, testing::Contains(Pair(0, OpKind::kSpuriousWakeup)));
}

TEST(Time, ASignalInTimeEndsTheWait) {
  const Outcome outcome = run({}, [] {
    threads(
        [] {
          lock(a);
          note_end(wait(condition, a, 700));
          unlock(a);
        },
        [] { signal(condition); });
  });
  EXPECT_THAT(outcome.notes, ElementsAre("granted at 0"));
}

TEST(Time, ATimedLockGivesUp) {
  const Outcome outcome = run({}, [] {
    lock(a);
    spawn([] { note_end(lock(a, 900)); });
    join(1);
  });
  EXPECT_THAT(outcome.notes, ElementsAre("timeout at 900"));
}

// Thread 1 waits with a deadline, thread 2 goes on.
Outcome timed_wait_beside_another(const Rules& rules) {
  return run(rules, [] {
    threads(
        [] {
          lock(a);
          note_end(wait(condition, a, 700));
          unlock(a);
        },
        [] {
          for (int i = 0; i < 3; ++i) write(&x);
          signal(condition);
        });
  });
}

TEST(EarlyTimeout, IsOneMoreChoiceWhereAllMayBeEarly) {
  const Outcome late =
      timed_wait_beside_another({.picks = {1, 1, 1, 2, 2, 2, 2, 2}, .early = Early::kAlways});
  EXPECT_THAT(late.notes, ElementsAre("granted at 0"));
  ASSERT_GE(late.asked.size(), 4u);
  EXPECT_THAT(late.asked[2].timeouts, IsEmpty());
  EXPECT_THAT(late.asked[3].enabled, ElementsAre(1, 2));
  EXPECT_THAT(late.asked[3].timeouts, ElementsAre(1));
  const Outcome early =
      timed_wait_beside_another({.picks = {1, 1, 1, 2, 1}, .early = Early::kAlways});
  EXPECT_THAT(early.notes, ElementsAre("timeout at 700"));
}

TEST(EarlyTimeout, IsNoneWhereNoneMayBeEarly) {
  const Outcome outcome = timed_wait_beside_another({.picks = {1, 1, 1, 2, 2, 2, 2, 2}});
  EXPECT_THAT(outcome.asked, Each(Field(&Asked::timeouts, IsEmpty())));
}

TEST(EarlyTimeout, IsDrawnForSomeWaitsAndMoreSleeps) {
  int waits = 0, sleeps = 0;
  constexpr int kRuns = 96;
  for (std::uint64_t seed = 0; seed < kRuns; ++seed) {
    const auto is_early = [&](const std::function<void()>& body) {
      const Outcome outcome = run({.early = Early::kDrawn, .seed = seed}, [&] {
        threads(body, [] {
          for (int i = 0; i < 3; ++i) write(&x);
          signal(condition);
        });
      });
      EXPECT_EQ(outcome.end, RunEnd::kExited);
      return std::any_of(outcome.asked.begin(), outcome.asked.end(), [](const Asked& asked) {
        return asked.enabled.size() > 1 && !asked.timeouts.empty();
      });
    };
    waits += is_early([] {
      lock(a);
      wait(condition, a, 700);
      unlock(a);
    });
    sleeps += is_early([] { sleep_until(700, kPc); });
  }
  EXPECT_GT(waits, kRuns / 8 / 4);  // one in eight
  EXPECT_LT(waits, kRuns / 8 * 3);
  EXPECT_GT(sleeps, kRuns / 4);  // one in two
  EXPECT_LT(sleeps, kRuns * 3 / 4);
}

TEST(EarlyTimeout, IsTheRuleForADeadlineThatHasPassed) {
  const Outcome outcome = run({.picks = {1, 1}}, [] {
    threads([] { sleep_until(0, kPc), note(me() + now()); }, [] { write(&x), note(me()); });
  });
  ASSERT_GE(outcome.asked.size(), 3u);
  EXPECT_THAT(outcome.asked[2].timeouts, IsEmpty());
  EXPECT_THAT(outcome.notes, UnorderedElementsAre("1 at 0", "2"));
}

// ---- The setting `timeouts`. ----

// Threads 1 to 3 sleep until these times.
Outcome sleepers(Timeouts timeouts, std::vector<Tid> picks, std::int64_t first, std::int64_t second,
                 std::int64_t third) {
  const auto sleeper = [](std::int64_t until) {
    return [=] {
      sleep_until(until, kPc);
      note(me() + now());
    };
  };
  return run({.picks = std::move(picks), .early = Early::kDrawn, .timeouts = timeouts},
             [=] { threads(sleeper(first), sleeper(second), sleeper(third)); });
}

// Whether a sleep beside a thread that has work to do may end first, in some of these runs.
bool may_end_before_others(Timeouts timeouts) {
  for (std::uint64_t seed = 0; seed < 32; ++seed) {
    const Outcome outcome =
        run({.picks = {1, 2}, .early = Early::kDrawn, .seed = seed, .timeouts = timeouts}, [] {
          threads([] { sleep_until(700, kPc); },
                  [] {
                    for (int i = 0; i < 100; ++i) write(&x);
                  });
        });
    for (const Asked& asked : outcome.asked) {
      if (asked.enabled.size() > 1 && !asked.timeouts.empty()) return true;
    }
  }
  return false;
}

TEST(Timeouts, OnlyEarlyOnesEndWhileOthersCanGoOn) {
  EXPECT_TRUE(may_end_before_others(Timeouts::kEarly));
  EXPECT_FALSE(may_end_before_others(Timeouts::kLate));
  EXPECT_FALSE(may_end_before_others(Timeouts::kExact));
}

TEST(Timeouts, ExactOnesEndInTheOrderOfTheirDeadlines) {
  for (std::uint64_t seed = 0; seed < 16; ++seed) {
    const Outcome outcome = sleepers(Timeouts::kExact, {3, 2, 1}, 300, 100, 200);
    EXPECT_THAT(outcome.notes, ElementsAre("2 at 100", "3 at 200", "1 at 300"));
  }
}

TEST(Timeouts, ExactOnesThatAreEqualEndInAnyOrder) {
  for (const std::vector<Tid>& picks : {std::vector<Tid>{1, 2, 3, 2, 3, 1}, {1, 2, 3, 3, 1, 2}}) {
    const Outcome outcome = sleepers(Timeouts::kExact, picks, 500, 500, 500);
    ASSERT_EQ(outcome.notes.size(), 3u);
    EXPECT_EQ(outcome.notes[0], std::to_string(picks[3]) + " at 500");
  }
}

TEST(Timeouts, LateOnesMayBeLateByAsMuchAsTheyWait) {
  // 1 may sleep until 200: 2 and 3 may be faster.
  Outcome outcome = sleepers(Timeouts::kLate, {1, 2, 3, 3, 1}, 100, 250, 150);
  EXPECT_THAT(outcome.notes, ElementsAre("3 at 150", "1 at 150", "2 at 250"));
  outcome = sleepers(Timeouts::kLate, {1, 2, 3, 1}, 100, 201, 201);
  EXPECT_EQ(outcome.notes.front(), "1 at 100");
  for (const Asked& asked : outcome.asked) {
    if (asked.timeouts.empty()) continue;
    EXPECT_THAT(asked.timeouts, ElementsAre(1));
    break;
  }
}

TEST(Timeouts, TimeStillPassesWithTheStepsOfThreadsThatCanRun) {
  for (const Timeouts timeouts : {Timeouts::kLate, Timeouts::kExact}) {
    const Outcome outcome = run({.timeouts = timeouts}, [] {
      static bool slept;
      slept = false;
      threads([] { sleep_until(50'000'000, kPc), slept = true; },
              [] {
                while (!slept) write(&x);
                note("seen");
              });
    });
    EXPECT_EQ(outcome.end, RunEnd::kExited);
    EXPECT_THAT(outcome.notes, ElementsAre("seen"));
  }
}

TEST(Timeouts, ExactOnesEndBeforeATimeThatAnotherThreadReadsFromTheClock) {
  // 2 polls until 90 ms; both deadlines come before that, and 1 has all it needs to be on time.
  const Outcome outcome = run({.picks = {1, 2}, .timeouts = Timeouts::kExact}, [] {
    threads(
        [] {
          sleep_until(10'000'000, kPc);
          note(me() + (sched.now < 11'000'000 ? " in time" : " late"));
          sleep_until(20'000'000, kPc);
          note(me() + (sched.now < 21'000'000 ? " in time" : " late"));
        },
        [] {
          while (virtual_now(kPc) < 90'000'000) read(&x);
          note(me());
        });
  });
  EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
  EXPECT_THAT(outcome.notes, ElementsAre("1 in time", "1 in time", "2"));
}

TEST(Timeouts, ExactOnesWaitForAThreadThatReadsTheClock) {
  // 1 polls until 10 ms, which is before 2's deadline.
  const Outcome outcome = run({.picks = {2, 1}, .timeouts = Timeouts::kExact}, [] {
    threads(
        [] {
          while (virtual_now(kPc) < 10'000'000) read(&x);
          note(me());
        },
        [] {
          sleep_until(20'000'000, kPc);
          note(me());
        });
  });
  EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
  EXPECT_THAT(outcome.notes, ElementsAre("1", "2"));
}

TEST(Timeouts, AThreadThatReadsTheClockGetsToItsEndBesideOneThatNeverWaits) {
  for (const Timeouts timeouts : {Timeouts::kLate, Timeouts::kExact}) {
    const Outcome outcome = run({.timeouts = timeouts}, [] {
      static bool over;
      over = false;
      threads(
          [] {
            while (virtual_now(kPc) < 10'000'000'000) {
            }
            over = true;
            note("read");
          },
          [] {
            while (!over) write(&x);
          });
    });
    EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
    EXPECT_THAT(outcome.notes, ElementsAre("read"));
    EXPECT_LT(outcome.steps.size(), 300'000u);
  }
}

TEST(Timeouts, AThreadThatOnceReadTheClockAndSpinsHoldsNoDeadlineUp) {
  const Outcome outcome = run({.timeouts = Timeouts::kExact}, [] {
    static bool slept;
    slept = false;
    threads([] { sleep_until(30'000'000, kPc), slept = true; },
            [] {
              virtual_now(kPc);
              while (!slept) read(&x);
              note("seen");
            });
  });
  EXPECT_THAT(outcome.notes, ElementsAre("seen"));
  EXPECT_LT(outcome.steps.size(), 1'000u);
}

TEST(Timeouts, AThreadThatTriesAFewTimesGetsToItsEndBeforeTimePasses) {
  for (const Timeouts timeouts : {Timeouts::kExact, Timeouts::kLate}) {
    const Outcome outcome = run({.timeouts = timeouts}, [] {
      threads([] { sleep_until(30'000'000, kPc), note("slept"); },
              [] {
                for (int i = 0; i < 100; ++i) read(&x);
                note("gave up");
              });
    });
    EXPECT_THAT(outcome.notes, ElementsAre("gave up", "slept"));
  }
}

TEST(Timeouts, AnEarlyEndIsMarkedInTheLog) {
  const auto marks = [](std::vector<Tid> picks) {
    const Outcome outcome = run({.picks = std::move(picks), .early = Early::kAlways},
                                [] { threads([] { sleep_until(700, kPc); }, [] { write(&x); }); });
    return outcome.early_ends;
  };
  EXPECT_THAT(marks({1, 2, 1}), ElementsAre(1));      // 2 is about to write
  EXPECT_THAT(marks({1, 2, 2, 2, 0, 1}), IsEmpty());  // only 1 is left
}

TEST(Timeouts, AThreadThatIsOvertakenByALaterDeadlineIsMarkedAsLate) {
  // 3 may sleep until 300, so the deadlines of all three have come.
  Outcome outcome = sleepers(Timeouts::kLate, {1, 2, 3, 3, 1}, 100, 250, 150);
  EXPECT_THAT(outcome.late_ends, ElementsAre(1));
  EXPECT_THAT(outcome.early_ends, IsEmpty());
  outcome = sleepers(Timeouts::kLate, {1, 2, 3, 1, 2}, 100, 250, 150);
  EXPECT_THAT(outcome.late_ends, IsEmpty());
  EXPECT_THAT(outcome.early_ends, IsEmpty());
}

TEST(Timeouts, AnEndBeforeLateThreadsThatHaveWokenUpIsMarked) {
  const auto outcome_of = [](Timeouts timeouts, std::vector<Tid> picks) {
    return run({.picks = std::move(picks), .timeouts = timeouts}, [] {
      threads([] { sleep_until(1'000, kPc), write(&x); },
              [] { sleep_until(1'500, kPc), write(&x); });
    });
  };
  // 1 has slept, and is about to write.
  Outcome outcome = outcome_of(Timeouts::kLate, {1, 2, 1, 2, 2});
  EXPECT_THAT(outcome.overtaking_ends, ElementsAre(2));
  EXPECT_THAT(outcome.late_ends, IsEmpty());
  EXPECT_THAT(outcome.early_ends, IsEmpty());
  outcome = outcome_of(Timeouts::kLate, {1, 2, 1, 1, 1, 2, 2});
  EXPECT_THAT(outcome.overtaking_ends, IsEmpty());
  EXPECT_THAT(outcome_of(Timeouts::kExact, {1, 2, 1, 2, 2}).overtaking_ends, IsEmpty());
}

// ---- The outside world, and waits that are ended. ----

TEST(External, GoesOnWhenItIsReady) {
  static bool ready;
  ready = false;
  const Outcome outcome = run({}, [] {
    threads([] { note(text_of(wait_external([](Thread*) { return ready; }, nullptr, kPc))); },
            [] {
              write(&x);
              note("opens");
              ready = true;
              recheck_externals();
            });
  });
  EXPECT_THAT(outcome.notes, ElementsAre("opens", "granted"));
}

TEST(External, FirstComeFirstAsked) {
  static int left;
  left = 0;
  const auto body = [] {
    wait_external([](Thread*) { return left-- > 0; }, nullptr, kPc);
    note(me());
  };
  const auto give_one = [] {
    left = 1;
    recheck_externals();
    write(&x);
  };
  const Outcome outcome = run({.picks = {2, 1, 3, 2, 3}},
                              [=] { threads(body, body, [=] { give_one(), give_one(); }); });
  EXPECT_THAT(outcome.notes, ElementsAre("2", "1"));
}

bool nothing() { return false; }

TEST(External, IsADeadlockIfNobodyOutsideCanEndIt) {
  const Outcome outcome = run({}, [] {
    upcalls.may_come_from_outside = nothing;
    threads([] { wait_external([](Thread*) { return false; }, nullptr, kPc); },
            [] { wait(condition, a); });
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
}

TEST(External, TakesNoRealTimeIfNobodyOutsideCanEndIt) {
  const Outcome outcome = run({}, [] {
    upcalls.may_come_from_outside = nothing;
    note_end(wait_external([](Thread*) { return false; }, nullptr, kPc, 5'000'000));
    const int external = static_cast<int>(Uncontrolled::kExternalWait);
    note(std::to_string(sched.shared->live.uncontrolled[external]) + " real waits");
  });
  EXPECT_THAT(outcome.notes, ElementsAre("timeout at 5000000", "0 real waits"));
}

TEST(Wait, CanBeInterruptedOrCancelled) {
  for (const Wake reason : {Wake::kInterrupted, Wake::kCancelled}) {
    const Outcome outcome = run({}, [=] {
      threads([] { note(text_of(wait_in_queue(sync_object(&x), kPc, kNever, nullptr, nullptr))); },
              [=] {
                wake_thread(&sched.threads[1], reason);
                note(sync_object(&x)->waiters == nullptr ? "left the queue" : "is still there");
              });
    });
    EXPECT_THAT(outcome.notes, ElementsAre("left the queue", text_of(reason)));
    EXPECT_THAT(
        outcome.steps,
        testing::Contains(Pair(1, reason == Wake::kCancelled ? OpKind::kCancel : OpKind::kSignal)));
  }
}

TEST(Wait, DoesNotBeginIfItIsCancelledAlready) {
  const Outcome outcome = run({}, [] {
    threads([] {
      sched.current->cancel_pending = sched.current->cancel_point = true;
      note(text_of(wait_in_queue(sync_object(&x), kPc, kNever, nullptr, nullptr)));
      note_end(sleep_until(100, kPc));
      sched.current->cancel_disabled = true;
      note_end(sleep_until(100, kPc));
      sched.current->cancel_pending = false;
    });
  });
  EXPECT_THAT(outcome.notes, ElementsAre("cancelled", "cancelled at 0", "timeout at 100"));
}

// ---- Deadlocks. ----

// Which threads are named as parts of the cycle.
std::vector<Tid> cycle(const Outcome& outcome) {
  std::vector<Tid> result;
  for (const ThreadReport& report : outcome.threads) {
    if (report.in_cycle) result.push_back(report.thread);
  }
  return result;
}

std::function<void()> locks_both(Mutex& first, Mutex& second) {
  return [&] {
    lock(first);
    lock(second);
    unlock(second);
    unlock(first);
  };
}

TEST(Deadlock, IsACycleOfTwoThoughAThirdCouldGoOn) {
  const Outcome outcome = run({.picks = {1, 2, 3, 1, 2}}, [] {
    threads(locks_both(a, b), locks_both(b, a), [] {
      for (int i = 0; i < 20'000; ++i) write(&x);
    });
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_EQ(outcome.message, "threads wait for each other in a cycle");
  EXPECT_THAT(cycle(outcome), ElementsAre(1, 2));
  ASSERT_EQ(outcome.threads.size(), 4u);
  EXPECT_EQ(outcome.threads[1].owner, 2);
  EXPECT_EQ(outcome.threads[2].owner, 1);
  EXPECT_EQ(outcome.threads[1].object, reinterpret_cast<std::uint64_t>(&b));
  EXPECT_EQ(outcome.threads[1].status, ThreadStatus::kBlocked);
  EXPECT_EQ(outcome.threads[1].pending, OpKind::kMutexLock);
  EXPECT_EQ(outcome.threads[3].status, ThreadStatus::kRunnable);
}

TEST(Deadlock, IsACycleOfThreeButNotWhoWaitsForIt) {
  const Outcome outcome = run({.picks = {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3}}, [] {
    threads(locks_both(a, b), locks_both(b, c), locks_both(c, a), [] { lock(a); });
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_THAT(cycle(outcome), ElementsAre(1, 2, 3));
}

TEST(Deadlock, IsNoneInTheOtherOrder) {
  const Outcome outcome =
      run({.picks = {1, 2, 1, 1, 2}}, [] { threads(locks_both(a, b), locks_both(b, a)); });
  EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
}

TEST(Deadlock, IsAThreadThatWaitsForItself) {
  const Outcome outcome = run({}, [] {
    lock(a);
    lock(a);
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_EQ(outcome.message, "T0 waits for a mutex that it holds itself, taken at @{1000}");
  EXPECT_THAT(cycle(outcome), ElementsAre(0));
}

// Thread 1 may still give up, whether the lock was free when it came or not.
TEST(Deadlock, IsNoneWhileADeadlineIsAhead) {
  for (const std::vector<Tid>& picks : {std::vector<Tid>{1, 2, 1, 2}, {1, 2, 2, 1}}) {
    const Outcome outcome = run({.picks = picks}, [] {
      threads(
          [] {
            lock(a);
            note_end(lock(b, 400));
            unlock(a);
          },
          locks_both(b, a));
    });
    EXPECT_EQ(outcome.end, RunEnd::kExited) << outcome.message;
    EXPECT_THAT(outcome.notes, ElementsAre("timeout at 400"));
  }
}

TEST(Deadlock, IsThatAllWait) {
  const Outcome outcome = run({}, [] {
    threads([] {
      lock(a);
      wait(condition, a);
    });
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_EQ(outcome.message, "all 2 remaining threads wait, and no thread is left to wake them");
  EXPECT_THAT(cycle(outcome), IsEmpty());
}

TEST(Deadlock, IsALostWakeupIfTheSignalCameBefore) {
  const Outcome outcome = run({}, [] {
    spawn([] { signal(condition); });
    join(1);
    lock(a);
    wait(condition, a);
  });
  EXPECT_EQ(outcome.failure, FailureKind::kLostWakeup);
  ASSERT_EQ(outcome.threads.size(), 2u);
  EXPECT_EQ(outcome.threads[0].hint_thread, 1);
  EXPECT_EQ(outcome.threads[0].hint_pc, kPc);
  EXPECT_EQ(outcome.threads[1].status, ThreadStatus::kFinished);
}

TEST(Deadlock, IsALockThatAThreadHeldWhenItEnded) {
  const Outcome outcome = run({}, [] {
    spawn([] { lock(a); });
    join(1);
    lock(a);
  });
  EXPECT_EQ(outcome.failure, FailureKind::kDeadlock);
  EXPECT_EQ(outcome.message,
            "T0 waits for a mutex that T1 still held when it ended, taken at @{1000}");
}

}  // namespace
}  // namespace snag::rt
