#include "runtime/sched/scheduler.h"

#include <gmock/gmock.h>

#include "runtime/sched/scripted_run_for_test.h"

namespace snag::rt {
namespace {

using namespace scripted;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

char x, y;

// Each of the threads takes `writes` steps, and notes its number after each.
std::function<void()> threads_that_write(int threads, int writes) {
  return [=] {
    for (int i = 0; i < threads; ++i) {
      spawn([=] {
        for (int n = 0; n < writes; ++n) {
          write(&x);
          note(std::to_string(sched.current->tid));
        }
      });
    }
    for (int i = 1; i <= threads; ++i) join(static_cast<Tid>(i));
  };
}

TEST(Scheduler, DoesWhatTheStrategySays) {
  // (The first pick of a thread starts it, the last one ends it.)
  const Outcome outcome = run({.picks = {1, 2, 2, 1, 1, 2, 1, 2}}, threads_that_write(2, 3));
  EXPECT_EQ(outcome.end, RunEnd::kExited);
  EXPECT_THAT(outcome.notes, ElementsAre("2", "1", "1", "2", "1", "2"));
}

TEST(Scheduler, LogsTheSteps) {
  const Outcome outcome = run({.picks = {1, 0, 1}}, [] {
    spawn([] { write(&x); });
    write(&y);
    join(1);
  });
  EXPECT_THAT(outcome.steps,
              ElementsAre(Pair(0, OpKind::kThreadCreate), Pair(1, OpKind::kThreadStart),
                          Pair(0, OpKind::kAtomicStore), Pair(1, OpKind::kAtomicStore),
                          Pair(1, OpKind::kThreadExit), Pair(0, OpKind::kThreadJoin)));
}

TEST(Scheduler, TellsTheStrategyWhoCanGoOn) {
  const Outcome outcome = run({.picks = {1, 2, 1, 2}}, threads_that_write(2, 1));
  ASSERT_GE(outcome.asked.size(), 5u);
  // Main waits for thread 1 from the first question on, until that has ended.
  EXPECT_EQ(outcome.asked[0].enabled, (std::vector<Tid>{1, 2}));
  EXPECT_FALSE(outcome.asked[0].current_enabled);
  EXPECT_EQ(outcome.asked[0].current, 0);
  EXPECT_EQ(outcome.asked[1].enabled, (std::vector<Tid>{1, 2}));
  EXPECT_TRUE(outcome.asked[1].current_enabled);
  EXPECT_EQ(outcome.asked[1].current, 1);
  EXPECT_EQ(outcome.asked[3].enabled, (std::vector<Tid>{0, 2}));
  EXPECT_FALSE(outcome.asked[3].current_enabled);
  EXPECT_EQ(outcome.asked[3].current, 1);
}

TEST(Scheduler, AsksTheStrategyThatWantsItEvenIfThereIsNoChoice) {
  const auto program = [] {
    write(&x);
    write(&x);
  };
  EXPECT_EQ(run({.kind = StrategyKind::kPct}, program).asked.size(), 2u);
  const Outcome rarely = run({.kind = StrategyKind::kRandom}, program);
  EXPECT_THAT(rarely.asked, IsEmpty());
  EXPECT_EQ(rarely.steps.size(), 2u);
}

TEST(Scheduler, QuickStepsAreLoggedLikeOthers) {
  static char bytes[16];
  const auto program = [] {
    write(&x);  // from now on it is known that nobody else is there
    quick_step(OpKind::kWrite, bytes + 8, 4, kPc);
    quick_step(OpKind::kRead, bytes + 8, 4, kPc);
    spawn([] { write(&x); });
    quick_step(OpKind::kWrite, bytes, 4, kPc);
    join(1);
  };
  const Outcome outcome = run({.picks = {1}, .kind = StrategyKind::kRandom}, program);
  EXPECT_THAT(
      outcome.steps,
      ElementsAre(Pair(0, OpKind::kAtomicStore), Pair(0, OpKind::kWrite), Pair(0, OpKind::kRead),
                  Pair(0, OpKind::kThreadCreate), Pair(1, OpKind::kThreadStart),
                  Pair(1, OpKind::kAtomicStore), Pair(1, OpKind::kThreadExit),
                  Pair(0, OpKind::kWrite), Pair(0, OpKind::kThreadJoin)));
}

TEST(Scheduler, RecordsChoices) {
  const Outcome outcome = run({.choices = {2, 1}}, [] {
    note(std::to_string(choose(3)));
    write(&x);
    note(std::to_string(choose(2)));
    note(std::to_string(choose(2)));
  });
  EXPECT_THAT(outcome.notes, ElementsAre("2", "1", "0"));
  ASSERT_EQ(outcome.choices.size(), 3u);
  const std::vector<std::uint64_t> steps = {0, 1, 1}, options = {3, 2, 2}, values = {2, 1, 0};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(outcome.choices[i].step, steps[i]);
    EXPECT_EQ(outcome.choices[i].count, options[i]);
    EXPECT_EQ(outcome.choices[i].value, values[i]);
  }
}

TEST(Scheduler, RefusesAChoiceThatIsNotThere) {
  const Outcome outcome = run({.choices = {3}}, [] { choose(3); });
  EXPECT_EQ(outcome.failure, FailureKind::kInternal);
}

TEST(Scheduler, AScheduleThatCannotBeFollowedDiverges) {
  const struct {
    std::vector<Tid> picks;
    const char* message;
  } cases[] = {
      {{0}, "the recorded schedule continues with thread 0, which cannot run here"},
      {{7}, "the recorded schedule continues with thread 7, which does not exist here"},
      {{1, kNoTid}, "the recorded schedule is over, but the program is not"},
  };
  for (const auto& c : cases) {
    const Outcome outcome = run({.picks = c.picks}, threads_that_write(1, 3));
    EXPECT_EQ(outcome.end, RunEnd::kDiverged);
    EXPECT_EQ(outcome.message, c.message);
  }
}

TEST(Scheduler, ARunMayTakeSoManySteps) {
  const auto program = [] {
    for (int i = 0; i < 10; ++i) write(&x);
  };
  EXPECT_EQ(run({.max_steps = 11}, program).end, RunEnd::kExited);
  const Outcome outcome = run({.max_steps = 10}, program);
  EXPECT_EQ(outcome.failure, FailureKind::kCutShort);
  EXPECT_EQ(outcome.steps.size(), 10u);
}

// Thread 1 looks at x again and again.
TEST(Scheduler, WhoSpinsWaitsForAWrite) {
  const auto program = [] {
    spawn([] {
      for (int i = 0; i < 5; ++i) read(&x);
    });
    write(&y);
    write(&x);
    join(1);
  };
  const Outcome outcome = run({.picks = {1, 1, 1, 1, 0, 1}}, program);
  EXPECT_EQ(outcome.end, RunEnd::kExited);
  ASSERT_GE(outcome.asked.size(), 6u);
  EXPECT_EQ(outcome.asked[3].enabled, (std::vector<Tid>{0, 1}));  // has looked twice
  EXPECT_EQ(outcome.asked[4].enabled, (std::vector<Tid>{0}));     // three times
  EXPECT_EQ(outcome.asked[5].enabled, (std::vector<Tid>{0, 1}));  // something was written
}

TEST(Scheduler, AllThatSpinAreALivelock) {
  const Outcome outcome = run({}, [] {
    spawn([] {
      for (;;) read(&x);
    });
    for (;;) read(&y);
  });
  EXPECT_EQ(outcome.failure, FailureKind::kLivelock);
  EXPECT_EQ(outcome.message, "threads re-read memory that no thread will ever write");
}

TEST(Scheduler, SpinningEndsWhenALoopGivesUp) {
  const Outcome outcome = run({}, [] {
    for (int i = 0; i < 1000; ++i) read(&y);
  });
  EXPECT_EQ(outcome.end, RunEnd::kExited);
}

TEST(Scheduler, NobodyRunsForEver) {
  static constexpr int kMost = 10'000;
  const Outcome outcome = run({}, [] {  // the strategy stays with the current thread
    spawn([] { note("at last"); });
    int writes = 0;
    while (record->note_count == 0 && writes < 3 * kMost) {
      write(&x);
      ++writes;
    }
    note(writes > kMost / 2 && writes < kMost * 3 / 2 ? "in time" : std::to_string(writes));
    join(1);
  });
  EXPECT_THAT(outcome.notes, ElementsAre("at last", "in time"));
}

TEST(Scheduler, WhoYieldsLetsAnotherGoFirst) {
  const Outcome outcome = run({}, [] {
    spawn([] { note("other"); });
    yield_step(kPc);
    note("main");
    yield_step(kPc);
    note("alone");
    join(1);
  });
  ASSERT_GE(outcome.asked.size(), 1u);
  EXPECT_EQ(outcome.asked[0].enabled, (std::vector<Tid>{1}));
  EXPECT_THAT(outcome.notes, ElementsAre("other", "main", "alone"));
}

TEST(Scheduler, SilentStepsAndPinnedThreadsGiveNobodyAChance) {
  const Outcome outcome = run({}, [] {
    spawn([] {});
    silent_step(OpKind::kMutexUnlock, &x, kPc);
    sched.current->pinned = 1;
    write(&x);
    sched.current->pinned = 0;
    note(std::to_string(record->question_count));
    write(&x);
    note(std::to_string(record->question_count));
    join(1);
  });
  EXPECT_THAT(outcome.notes, ElementsAre("0", "1"));
}

TEST(Scheduler, TheClockGoesOnFasterForWhoOnlyLooksAtIt) {
  const Outcome outcome = run({}, [] {
    const auto first = virtual_now();
    const auto second = virtual_now();
    note(std::to_string(first) + " " + std::to_string(second));
    for (int i = 0; i < 1000; ++i) virtual_now();
    note(virtual_now() - second > 1'000'000'000 ? "leaps" : "crawls");
    // With work in between, the leaps grow slowly.
    write(&x);
    const auto before = virtual_now();
    note(std::to_string(virtual_now() - before));
  });
  EXPECT_THAT(outcome.notes, ElementsAre("1000 2000", "leaps", "8000"));
}

TEST(SyncObjects, AreFoundByTheirAddressAndBlankInEachRun) {
  static char memory[5000];
  const Outcome outcome = run({}, [] {
    for (char& byte : memory)
      sync_object(&byte)->count = static_cast<std::uint32_t>(&byte - memory);
    bool all = true;
    for (char& byte : memory) {
      const SyncObject* object = sync_object(&byte);
      all &= object->count == static_cast<std::uint32_t>(&byte - memory);
      all &= object->address == reinterpret_cast<std::uint64_t>(&byte) && object->owner == kNoTid;
    }
    note(all ? "found" : "lost");
    const std::uint32_t first = sync_object(&memory[0])->ordinal;
    note(std::to_string(sync_object(&memory[7])->ordinal - first));
    note(is_known(reinterpret_cast<std::uint64_t>(&memory[0])) ? "known" : "unknown");
    note(is_known(reinterpret_cast<std::uint64_t>(&all)) ? "known" : "unknown");
    ++sched.run;
    note(std::to_string(sync_object(&memory[9])->count) + " " +
         std::to_string(sync_object(&memory[9])->ordinal));
  });
  EXPECT_THAT(outcome.notes, ElementsAre("found", "7", "known", "unknown", "0 0"));
}

}  // namespace
}  // namespace snag::rt
