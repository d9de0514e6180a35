// Which steps of a run become rows, with hand-made runs: no debug information, so places are
// unknown and objects are letters.
#include "tool/report/view/interleaving.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tool/report/view/relevance.h"
#include "tool/report/view/untimely_end.h"

namespace snag::report {
namespace {

using session::FailedRun;

constexpr std::uint64_t kX = 0x1000, kY = 0x2000, kMutex = 0x3000;

class RunMaker {
 public:
  RunMaker() { run_.kind = FailureKind::kAssert; }
  RunMaker& step(Tid thread, OpKind kind, std::uint64_t object, std::uint64_t pc = 0x10) {
    run_.steps.push_back({pc, object, thread, kind, 0, 0});
    run_.values.push_back({});
    return *this;
  }
  RunMaker& value(std::uint64_t before, std::uint64_t after, std::uint8_t size = 4,
                  std::uint8_t offset = 0) {
    run_.values.back() = {before, after, size};
    return at(offset);
  }
  // The last step is an access behind the begin of its word.
  RunMaker& at(std::uint8_t offset) {
    run_.steps.back().flags = step_offset_flags(offset);
    return *this;
  }
  RunMaker& thread(Tid thread, ThreadStatus status, OpKind pending = OpKind::kNone,
                   std::uint64_t object = 0, Tid owner = kNoTid, bool in_cycle = false) {
    ThreadReport report{};
    report.thread = thread;
    report.status = status;
    report.pending = pending;
    report.object = object;
    report.owner = owner;
    report.hint_thread = kNoTid;
    report.in_cycle = in_cycle ? 1 : 0;
    run_.threads.push_back(report);
    return *this;
  }
  RunMaker& flags(std::uint8_t flags) {
    run_.steps.back().flags = flags;
    return *this;
  }
  FailedRun& get() { return run_; }

  Interleaving interleaving() {
    binary::Symbolizer symbolizer;
    SourceText source;
    ObjectNames names(symbolizer, run_.modules, source);
    return interleaving_of(run_, symbolizer, source, names);
  }
  // The sentence of the report; empty: there is none.
  std::string untimely_end() {
    binary::Symbolizer symbolizer;
    SourceText source;
    ObjectNames names(symbolizer, run_.modules, source);
    const auto view = untimely_end_of(run_, symbolizer, source, names);
    return view ? view->text() : "";
  }

 private:
  FailedRun run_;
};

std::vector<std::string> texts(const Interleaving& interleaving) {
  std::vector<std::string> result;
  for (const Event& event : interleaving.events) {
    std::string text = event.thread == kNoTid ? "" : "T" + std::to_string(event.thread) + " ";
    if (event.is_switch) text += "-> ";
    result.push_back(text + event_text(event));
  }
  return result;
}

TEST(Interleaving, OfNothingIsEmpty) {
  const Interleaving interleaving = RunMaker().interleaving();
  EXPECT_TRUE(interleaving.events.empty());
  EXPECT_TRUE(interleaving.threads.empty());
}

TEST(Interleaving, ShowsWhatIsSharedWithItsValues) {
  RunMaker run;
  run.step(0, OpKind::kThreadCreate, 0).step(0, OpKind::kThreadCreate, 0);
  run.step(0, OpKind::kRead, kY);  // of this thread alone
  run.step(1, OpKind::kRead, kX).value(0, 0);
  run.step(2, OpKind::kRead, kX).value(0, 0).step(2, OpKind::kWrite, kX).value(0, 1);
  run.step(1, OpKind::kWrite, kX).value(1, 1);
  run.get().message = "assertion failed";
  run.get().thread = 0;
  const std::vector<std::string> expected = {"T0 ... 3 steps",       "T1 reads A = 0",
                                             "T2 -> reads A = 0",    "T2 writes A = 0 -> 1",
                                             "T1 writes A = 1 -> 1", "T0 assertion failed"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, LeavesOutThreadsWithoutARole) {
  RunMaker run;
  run.step(0, OpKind::kThreadCreate, 0).step(3, OpKind::kMutexLock, kMutex);
  run.step(1, OpKind::kWrite, kX).step(2, OpKind::kWrite, kX);
  const Interleaving interleaving = run.interleaving();
  ASSERT_EQ(interleaving.threads.size(), 2u);
  EXPECT_EQ(interleaving.threads[0].thread, 1);
  EXPECT_EQ(interleaving.threads[1].thread, 2);
  ASSERT_EQ(interleaving.others.size(), 2u);
}

TEST(Interleaving, TellsNeighboursInAWordApart) {
  RunMaker run;
  run.step(1, OpKind::kWrite, kX).value(0, 1, 4, 0).step(2, OpKind::kWrite, kX).value(0, 1, 4, 4);
  const Interleaving interleaving = run.interleaving();
  EXPECT_TRUE(interleaving.threads.empty()) << "they do not share anything";
}

TEST(Interleaving, TellsNeighboursApartThatHaveNoValues) {
  RunMaker run;
  run.step(1, OpKind::kWrite, kX).at(0).step(2, OpKind::kRead, kX).at(0);
  run.step(1, OpKind::kWrite, kX).at(4).step(2, OpKind::kRead, kX).at(4);
  const std::vector<std::string> expected = {"T1 writes A", "T2 -> reads A", "T1 -> writes B",
                                             "T2 reads B", "assert"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, NamesWhatAThreadIsAboutToAccessByItsBytes) {
  RunMaker run;
  run.step(1, OpKind::kWrite, kX).at(4).step(2, OpKind::kRead, kX).at(4);
  run.step(1, OpKind::kWrite, kX).at(0).step(2, OpKind::kRead, kX).at(0);
  run.thread(1, ThreadStatus::kRunnable, OpKind::kWrite, kX);
  run.get().threads.back().offset = 4;
  const std::vector<std::string> expected = {"T1 writes A",   "T2 -> reads A",     "T1 -> writes B",
                                             "T2 -> reads B", "T1 next: writes A", "assert"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, FoldsLoopsIntoTheirLastRound) {
  RunMaker run;
  run.step(2, OpKind::kWrite, kX);
  for (std::uint64_t i = 0; i < 35; ++i)
    run.step(1, OpKind::kAtomicLoad, kX).value(i, i).step(1, OpKind::kAtomicRmw, kY, 0x20);
  run.step(2, OpKind::kWrite, kY);
  const std::vector<std::string> lines = texts(run.interleaving());
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[1], "T1 ... 34 more rounds of this loop, 68 steps");
  EXPECT_EQ(lines[2], "T1 -> loads A = 34");
}

TEST(Interleaving, KeepsToAScreenForLongRuns) {
  RunMaker run;
  for (std::uint64_t i = 0; i < 10'000; ++i)
    run.step(static_cast<Tid>(1 + i * 7919 % 3), i % 5 == 0 ? OpKind::kWrite : OpKind::kRead,
             kX + i * i % 11 * 8, 0x10 + i * i % 13);
  run.thread(1, ThreadStatus::kRunnable);
  run.get().thread = 1;
  const Interleaving interleaving = run.interleaving();
  const auto rows = std::count_if(interleaving.events.begin(), interleaving.events.end(),
                                  [](const Event& e) { return e.kind == Event::Kind::kStep; });
  EXPECT_EQ(rows, static_cast<std::ptrdiff_t>(kMaxRows));
  std::uint64_t steps = 0;
  for (const Event& event : interleaving.events)
    steps += event.kind == Event::Kind::kStep ? 1 : event.folded;
  EXPECT_EQ(steps, 10'000u) << "every step is shown or counted";
}

TEST(Interleaving, ShowsWhoHoldsWhatInADeadlock) {
  RunMaker run;
  run.get().kind = FailureKind::kDeadlock;
  run.get().message = "threads wait for each other in a cycle";
  run.step(1, OpKind::kMutexLock, kX).step(2, OpKind::kMutexLock, kY);
  run.thread(1, ThreadStatus::kBlocked, OpKind::kMutexLock, kY, 2, true);
  run.thread(2, ThreadStatus::kBlocked, OpKind::kMutexLock, kX, 1, true);
  const std::vector<std::string> expected = {
      "T1 locks A", "T2 -> locks B", "T1 waits for B, held by T2", "T2 waits for A, held by T1",
      "threads wait for each other in a cycle"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, ShowsTheSignalThatCameTooEarly) {
  RunMaker run;
  run.get().kind = FailureKind::kLostWakeup;
  run.get().message = "lost";
  run.step(0, OpKind::kCondSignal, kX).step(1, OpKind::kCondWait, kX);
  run.step(1, OpKind::kMutexUnlock, kMutex);
  run.thread(1, ThreadStatus::kBlocked, OpKind::kCondWait, kX);
  run.get().threads.back().hint_pc = 0x10;
  run.get().threads.back().hint_thread = 0;
  const std::vector<std::string> expected = {"T0 signals A, no waiter so far", "T1 waits for A",
                                             "T1 ... 1 more step", "lost"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, ShowsWhatAThreadDidNotGetTo) {
  RunMaker run;
  run.step(1, OpKind::kAtomicLoad, kX).value(0, 0);
  run.thread(1, ThreadStatus::kRunnable).thread(2, ThreadStatus::kRunnable, OpKind::kWrite, kX);
  run.get().thread = 1;
  run.get().message = "failed";
  const std::vector<std::string> expected = {"T1 loads A = 0", "T2 next: writes A", "T1 failed"};
  EXPECT_EQ(texts(run.interleaving()), expected);
}

TEST(Interleaving, ShowsARacesAccessesThoughTheyAreNoSteps) {
  RunMaker run;
  run.get().kind = FailureKind::kRace;
  run.get().message = "race";
  run.step(1, OpKind::kMutexLock, kMutex).step(2, OpKind::kWrite, kX).value(0, 1);
  RaceReport race{};
  race.first.thread = 1;
  race.first.address = race.second.address = kX;
  race.first.step = 1;
  race.second.thread = 2;
  race.second.write = 1;
  race.second.step = 2;
  run.get().race = race;
  const Interleaving interleaving = run.interleaving();
  const auto accused = std::count_if(interleaving.events.begin(), interleaving.events.end(),
                                     [](const Event& event) { return event.is_accused; });
  EXPECT_EQ(accused, 2);
  EXPECT_EQ(texts(interleaving)[1], "T1 reads A");
}

AccessReport access(Tid thread, std::uint64_t address, std::uint64_t step, std::uint64_t pc,
                    bool write) {
  AccessReport report{};
  report.thread = thread;
  report.address = address;
  report.step = step;
  report.write = write ? 1 : 0;
  report.depth = 1;
  report.stack[0] = pc;
  return report;
}

TEST(Interleaving, SaysOfAWriteThatWasStoppedOnlyWhatItFound) {
  RunMaker run;
  run.get().kind = FailureKind::kRace;
  run.step(1, OpKind::kRead, kX, 0x10).value(100, 100);
  run.step(2, OpKind::kWrite, kX, 0x20).value(100, 100);
  run.get().race = RaceReport{access(1, kX, 1, 0x10, false), access(2, kX, 2, 0x20, true), {}};
  const Interleaving interleaving = run.interleaving();
  EXPECT_EQ(texts(interleaving)[1], "T2 is about to write A (now 100)");
  EXPECT_FALSE(interleaving.events[1].value_after);
}

// As a delete of a block of three words, before the last step.
RunMaker freed_before_use() {
  RunMaker run;
  run.get().kind = FailureKind::kHeap;
  run.step(1, OpKind::kAtomicLoad, kX, 0x10);
  for (std::uint64_t word = 0; word < 3; ++word) run.step(1, OpKind::kFree, kX + 8 * word, 0x20);
  run.step(2, OpKind::kWrite, kX + 8, 0x30).value(5, 5);
  HeapReport heap{};
  heap.error = HeapError::kUseAfterFree;
  heap.access = access(2, kX + 8, 5, 0x30, true);
  heap.memory.kind = MemoryKind::kHeap;
  heap.memory.is_freed = 1;
  heap.memory.begin = kX;
  heap.memory.size = 24;
  heap.memory.free_thread = 1;
  heap.memory.free_step = 4;
  run.get().heap = heap;
  return run;
}

TEST(Interleaving, ShowsOneFreeOfABlockOfManyWords) {
  const Interleaving interleaving = freed_before_use().interleaving();
  const std::vector<std::string> expected = {"T1 ... 1 step", "T1 frees the memory of A",
                                             "T2 is about to write A (now 5)", "heap"};
  EXPECT_EQ(texts(interleaving), expected);
  EXPECT_TRUE(interleaving.events[1].is_accused);
}

TEST(Interleaving, ShowsBothFreesThoughTheSecondIsNoStep) {
  RunMaker run = freed_before_use();
  run.get().steps.pop_back();
  run.get().heap->error = HeapError::kDoubleFree;
  run.get().heap->access = access(2, kX, 4, 0x30, true);
  run.get().heap->access.is_free = 1;
  const std::vector<std::string> lines = texts(run.interleaving());
  EXPECT_EQ(lines[1], "T1 frees the memory");
  EXPECT_EQ(lines[2], "T2 frees the memory, for the second time");
}

TEST(Interleaving, DoesNotTakeAFreeForTheAccessBeforeIt) {
  RunMaker run;
  run.get().kind = FailureKind::kRace;
  run.step(1, OpKind::kWrite, kX, 0x10).step(2, OpKind::kAtomicLoad, kX, 0x20);
  run.get().race = RaceReport{access(1, kX, 1, 0x10, true), access(2, kX, 2, 0x28, true), {}};
  run.get().race->second.is_free = 1;
  const std::vector<std::string> lines = texts(run.interleaving());
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_EQ(lines[1], "T2 loads A");
  EXPECT_EQ(lines[2], "T2 frees the memory of A");
}

TEST(Interleaving, ShowsTheMisusedLock) {
  RunMaker run;
  run.get().kind = FailureKind::kLockMisuse;
  run.get().lock = kMutex;
  run.get().thread = 1;
  run.step(0, OpKind::kMutexLock, kMutex).step(0, OpKind::kThreadCreate, 0);
  run.thread(0, ThreadStatus::kRunnable);
  run.thread(1, ThreadStatus::kRunnable, OpKind::kMutexUnlock, kMutex);
  const Interleaving interleaving = run.interleaving();
  EXPECT_EQ(texts(interleaving)[0], "T0 locks A");
  EXPECT_EQ(texts(interleaving)[2], "T1 is about to unlock A");
  EXPECT_TRUE(interleaving.others.empty());
}

TEST(Interleaving, ShowsAllThatWasDoneToWhatTheFailingThreadLookedAtLast) {
  RunMaker run;
  run.step(1, OpKind::kAtomicLoad, kX, 0x10).step(2, OpKind::kAtomicLoad, kX, 0x10);
  for (Tid thread : {2, 1}) {
    for (std::uint64_t i = 1; i <= 12; ++i)
      run.step(thread, OpKind::kAtomicRmw, kY + 8 * i, 0x20 + 8 * i);
    run.step(thread, OpKind::kAtomicRmw, kX, 0x200);
  }
  run.step(1, OpKind::kAtomicLoad, kX, 0x300);
  run.thread(1, ThreadStatus::kRunnable);
  run.get().thread = 1;
  const Interleaving interleaving = run.interleaving();
  std::vector<std::uint64_t> shown;
  for (const Event& event : interleaving.events) {
    if (event.kind == Event::Kind::kStep) shown.push_back(event.step);
    const bool is_said = event.kind != Event::Kind::kFolded || !event.is_minor;
    EXPECT_TRUE(is_said) << "step " << event.step;
  }
  for (const std::uint64_t step : {1, 2, 15, 28, 29})
    EXPECT_TRUE(std::find(shown.begin(), shown.end(), step) != shown.end()) << step;
}

TEST(ValueText, GuessesWhatAPersonWouldWrite) {
  EXPECT_EQ(value_text(0, 8), "0");
  EXPECT_EQ(value_text(0xffffffff, 4), "-1");
  EXPECT_EQ(value_text(0xff, 1), "-1");
  EXPECT_EQ(value_text(0xfffe, 2), "-2");
  EXPECT_EQ(value_text(0x80000000, 4), "2147483648");
  EXPECT_EQ(value_text(0x7f0011223344, 8), "0x7f0011223344");
  EXPECT_EQ(value_text(~0ull, 8), "-1");
}

TEST(UntimelyEnd, IsTheFirstUnlessAThreadOfTheFailureHasOne) {
  RunMaker run;
  run.get().thread = 0;
  run.step(1, OpKind::kWrite, kX);
  EXPECT_EQ(run.untimely_end(), "");
  run.step(2, OpKind::kSleep, 0).flags(kEarlyEnd).step(3, OpKind::kTimeout, kX).flags(kEarlyEnd);
  EXPECT_EQ(
      run.untimely_end(),
      "in this schedule the sleep of T2 ends early, although other threads could go on or had "
      "earlier deadlines (one of 2 sleeps and timeouts that do): --timeouts exact rules that "
      "out");
  run.step(0, OpKind::kTimeout, kX).flags(kEarlyEnd).step(4, OpKind::kSleep, 0).flags(kEarlyEnd);
  EXPECT_TRUE(run.untimely_end().starts_with("in this schedule the timeout of T0 ends early, "));
}

TEST(UntimelyEnd, IsNotCalledEarlyIfAThreadWasLate) {
  RunMaker late, overtaking;
  late.step(1, OpKind::kSleep, 0).flags(kLateEnd);
  EXPECT_EQ(late.untimely_end(),
            "in this schedule the sleep of T1 ends late, after a later deadline of another thread: "
            "--timeouts exact rules that out");
  overtaking.step(2, OpKind::kSleep, 0).flags(kOvertakingEnd);
  EXPECT_EQ(overtaking.untimely_end(),
            "in this schedule the sleep of T2 ends in time, but other threads that could go on "
            "before it are late: --timeouts exact rules that out");
}

}  // namespace
}  // namespace snag::report
