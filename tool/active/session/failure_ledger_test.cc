#include "tool/active/session/failure_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace snag::active {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kOne = 0x1010, kTwo = 0x1020, kThree = 0x1030;

// Failures are exits, which differ by their status.
struct LedgerTest : ::testing::Test {
  LedgerTest() : folder(fs::path(::testing::TempDir()) / "failure_ledger_test") {
    fs::remove_all(folder);
    fs::create_directories(folder);
  }
  ~LedgerTest() override { fs::remove_all(folder); }

  // With its trace, and steps in which the candidate of atomicity() happened.
  explore::Finding finding(int status, const std::string& name) {
    explore::Finding result;
    result.run.kind = FailureKind::kExit;
    result.run.detail = status;
    result.run.modules = binary::ModuleMap({{0x1000, 0x1000, 0x2000, "program"}});
    for (const auto& [thread, pc] : {std::pair{1, kOne}, {2, kThree}, {1, kTwo}}) {
      Step step{};
      step.thread = static_cast<Tid>(thread);
      step.pc = pc;
      step.object = 0x5000;
      result.run.steps.push_back(step);
    }
    result.trace.confirmed = true;
    result.trace.failure = {FailureKind::kExit, status, "exit status", kNoTid, "a.cc:1"};
    result.trace_path = trace(name);
    return result;
  }
  std::string trace(const std::string& name) const {
    const std::string path = folder / name;
    std::ofstream(path) << "trace";
    return path;
  }
  bool has(const std::string& name) const { return fs::exists(folder / name); }

  static Candidate atomicity(const std::string& text, bool any_memory = false) {
    const binary::ModuleMap modules({{0x1000, 0x1000, 0x2000, "program"}});
    Candidate candidate;
    candidate.kind = Kind::kAtomicity;
    candidate.any_memory = any_memory;
    for (const std::uint64_t pc : {kOne, kTwo, kThree})
      candidate.sides.push_back({{{modules.to_module_pc(pc)}}, text});
    if (any_memory) candidate.sides.push_back(candidate.sides[2]);
    return candidate;
  }
  static Candidate deadlock(const std::string& text) {
    Candidate candidate;
    candidate.kind = Kind::kDeadlock;
    candidate.sides = {{{{1}}, text}, {{{2}}, text}};
    return candidate;
  }
  Verdict& add_verdict(Candidate candidate, Verdict::End end = Verdict::End::kNotReproduced) {
    Verdict& verdict = result.verdicts.emplace_back();
    verdict.candidate = std::move(candidate);
    verdict.end = end;
    return verdict;
  }
  std::string signature(int status) { return ledger.signature_of(finding(status, "unused").run); }

  fs::path folder;
  binary::Symbolizer symbolizer;
  Signatures signatures{symbolizer};
  ActiveResult result;
  Stored stored;
  bool fails_serially = false;
  FailureLedger ledger{result, stored, signatures, symbolizer,
                       [this](const session::FailedRun&) { return fails_serially; }};
};

TEST_F(LedgerTest, KeepsEachUnpredictedFailureOnce) {
  std::vector<explore::Finding> failures;
  failures.push_back(finding(3, "a"));
  failures.push_back(finding(3, "b"));
  failures.push_back(finding(4, "c"));
  ledger.keep_failures(std::move(failures));
  ASSERT_EQ(result.failures.size(), 2u);
  EXPECT_TRUE(has("a"));
  EXPECT_FALSE(has("b"));  // a trace that no report mentions
  EXPECT_TRUE(has("c"));
  EXPECT_TRUE(ledger.is_known(finding(3, "d").run));
  EXPECT_FALSE(ledger.is_known(finding(5, "d").run));
}

TEST_F(LedgerTest, GivesAUseOfFreedMemoryToTheRaceThatFreesIt) {
  explore::Finding use = finding(3, "use");
  use.run.kind = FailureKind::kHeap;
  use.run.heap.emplace();
  use.run.heap->error = HeapError::kUseAfterFree;
  use.run.heap->memory.free_stack[0] = kTwo;
  use.run.heap->memory.free_depth = 1;
  explore::Finding another_use = finding(5, "another use");
  another_use.run.kind = FailureKind::kHeap;
  another_use.run.heap = use.run.heap;
  ledger.keep_failures({use, finding(4, "other"), another_use});
  Candidate race = atomicity("frees");
  race.kind = Kind::kRace;
  race.sides.pop_back();
  Verdict& unconfirmed = add_verdict(race);
  EXPECT_THAT(ledger.attach_uses_of_freed_memory(), ::testing::IsEmpty());
  EXPECT_FALSE(unconfirmed.failure);

  result.verdicts.clear();
  Verdict& verdict = add_verdict(race, Verdict::End::kConfirmed);
  verdict.finding = finding(5, "race");
  EXPECT_THAT(ledger.attach_uses_of_freed_memory(), ::testing::ElementsAre(&verdict));
  ASSERT_TRUE(verdict.failure);
  EXPECT_EQ(verdict.failure->trace_path, folder / "use");
  ASSERT_EQ(verdict.more_uses.size(), 1u);
  EXPECT_EQ(verdict.more_uses[0].trace_path, folder / "another use");
  EXPECT_TRUE(verdict.harmful);
  ASSERT_EQ(result.failures.size(), 1u) << "the other one is still met on the way";
  EXPECT_EQ(result.failures[0].trace_path, folder / "other");
}

TEST_F(LedgerTest, GivesAFailureToTheCandidate) {
  Verdict verdict;
  verdict.candidate = atomicity("x");
  ledger.take(verdict, finding(3, "a"));
  ASSERT_TRUE(verdict.finding);
  EXPECT_EQ(verdict.trace_path, folder / "a");
  EXPECT_FALSE(verdict.is_repeated);
  // It is not an unpredicted failure any more.
  ledger.keep_failures({finding(3, "b")});
  EXPECT_THAT(result.failures, ::testing::IsEmpty());
  EXPECT_FALSE(has("b"));
}

TEST_F(LedgerTest, ShowsAFailureOfTwoCandidatesOnce) {
  ledger.take(add_verdict(atomicity("x")), finding(3, "a"));
  Verdict second;
  second.candidate = atomicity("y");
  ledger.take(second, finding(3, "b"));
  EXPECT_TRUE(second.is_repeated);
  EXPECT_FALSE(second.finding);
  EXPECT_EQ(second.trace_path, folder / "a");
  EXPECT_FALSE(has("b"));
}

// The candidate has to have happened in the run that is shown.
TEST_F(LedgerTest, ShowsAFailureAgainIfTheOtherRunDoesNotShowTheCandidate) {
  explore::Finding other = finding(3, "a");
  other.run.steps.clear();
  ledger.take(add_verdict(atomicity("x")), std::move(other));
  Verdict second;
  second.candidate = atomicity("y");
  ledger.take(second, finding(3, "b"));
  EXPECT_FALSE(second.is_repeated);
  EXPECT_EQ(second.trace_path, folder / "b");
}

TEST_F(LedgerTest, RecallsWhatEarlierCallsFound) {
  stored.verdicts["confirmed"] = {.confirmed = true, .trace = trace("a"), .signature = "one"};
  stored.failures[signature(4)] = {"exit: 4", trace("b")};
  stored.failures["gone"] = {"exit: 5", folder / "gone"};
  ledger.recall();
  ASSERT_EQ(result.earlier_failures.size(), 1u);
  EXPECT_EQ(result.earlier_failures[0].text, "exit: 4");
  EXPECT_TRUE(ledger.is_known(finding(4, "c").run));
  EXPECT_FALSE(ledger.is_known(finding(5, "c").run));
}

// Places identify a deadlock: the trace of an earlier call is good enough.
TEST_F(LedgerTest, ADeadlockOfAnEarlierCallIsNotShownAgain) {
  stored.verdicts["key"] = {.confirmed = true, .trace = trace("old"), .signature = signature(3)};
  ledger.recall();
  Verdict verdict;
  verdict.candidate = deadlock("x");
  ledger.take(verdict, finding(3, "new"));
  EXPECT_TRUE(verdict.is_repeated);
  EXPECT_EQ(verdict.trace_path, folder / "old");
  EXPECT_FALSE(has("new"));
}

TEST_F(LedgerTest, ShowsWhatFailedAgainWithoutBeingPredicted) {
  stored.verdicts["key"] = {.confirmed = true, .trace = trace("old"), .signature = signature(3)};
  ledger.recall();
  ledger.recall_unpredicted();
  EXPECT_THAT(result.earlier_failures, ::testing::IsEmpty());  // it did not fail in this call
  ledger.is_known(finding(3, "new").run);
  ledger.recall_unpredicted();
  ASSERT_EQ(result.earlier_failures.size(), 1u);
  EXPECT_EQ(result.earlier_failures[0].text, "key");
}

TEST_F(LedgerTest, RemembersFailuresForLaterCalls) {
  ledger.remember(finding(3, "a"));
  ASSERT_EQ(stored.failures.size(), 1u);
  EXPECT_EQ(stored.failures.begin()->first, signature(3));
  EXPECT_EQ(stored.failures.begin()->second.text, "exit: exit status at a.cc:1");
  EXPECT_EQ(stored.failures.begin()->second.trace, folder / "a");
}

TEST_F(LedgerTest, ConfirmsACandidateByAnUnpredictedFailure) {
  ledger.keep_failures({finding(3, "a")});
  add_verdict(atomicity("x"));
  ledger.confirm_by_others();
  EXPECT_EQ(result.verdicts[0].end, Verdict::End::kConfirmed);
  EXPECT_TRUE(result.verdicts[0].finding);
  EXPECT_THAT(result.failures, ::testing::IsEmpty());
}

TEST_F(LedgerTest, AFailureThatComesAnywayConfirmsNothing) {
  fails_serially = true;
  ledger.keep_failures({finding(3, "a")});
  add_verdict(atomicity("x"));
  ledger.confirm_by_others();
  EXPECT_EQ(result.verdicts[0].end, Verdict::End::kNotReproduced);
  EXPECT_EQ(result.failures.size(), 1u);
}

TEST_F(LedgerTest, ConfirmsACandidateByTheFailureOfAnother) {
  ledger.take(add_verdict(atomicity("x"), Verdict::End::kConfirmed), finding(3, "a"));
  add_verdict(atomicity("y"));
  ledger.confirm_by_others();
  EXPECT_EQ(result.verdicts[1].end, Verdict::End::kConfirmed);
  EXPECT_TRUE(result.verdicts[1].is_repeated);
  EXPECT_EQ(result.verdicts[1].trace_path, folder / "a");
}

TEST_F(LedgerTest, DropsFailuresThatConfirmACandidate) {
  ledger.keep_failures({finding(3, "a")});
  result.failures.push_back(finding(4, "b"));
  Verdict& verdict = add_verdict(atomicity("x"), Verdict::End::kConfirmed);
  verdict.finding = finding(3, "c");
  ledger.drop_confirming_failures();
  ASSERT_EQ(result.failures.size(), 1u);
  EXPECT_EQ(result.failures[0].run.detail, 4);
  EXPECT_FALSE(has("a"));
}

// A candidate of two variables that fails like one of a single variable is not a bug of its own.
TEST_F(LedgerTest, ACandidateOfTwoVariablesIsExplainedByOneOfASingleVariable) {
  result.verdicts.reserve(2);
  ledger.take(add_verdict(atomicity("x"), Verdict::End::kConfirmed), finding(3, "a"));
  Verdict& two = add_verdict(atomicity("x and y", true), Verdict::End::kConfirmed);
  two.finding = finding(3, "b");
  two.trace_path = folder / "b";
  const auto changed = ledger.drop_explained();
  EXPECT_THAT(changed, ::testing::ElementsAre(&two));
  EXPECT_EQ(two.end, Verdict::End::kHappened);
  EXPECT_TRUE(two.is_explained);
  EXPECT_FALSE(two.finding);
  EXPECT_FALSE(has("b"));
  EXPECT_EQ(result.verdicts[0].end, Verdict::End::kConfirmed);
}

// The failure was shown for the candidate of two variables: the other one inherits it.
TEST_F(LedgerTest, TheFailureOfAnExplainedCandidateIsInherited) {
  result.verdicts.reserve(2);
  Verdict& two = add_verdict(atomicity("x and y", true), Verdict::End::kConfirmed);
  ledger.take(two, finding(3, "a"));
  Verdict& one = add_verdict(atomicity("x"), Verdict::End::kConfirmed);
  one.is_repeated = true;
  one.trace_path = two.trace_path;
  EXPECT_THAT(ledger.drop_explained(), ::testing::ElementsAre(&one, &two));
  EXPECT_TRUE(one.finding);
  EXPECT_FALSE(one.is_repeated);
  EXPECT_TRUE(has("a"));
  EXPECT_TRUE(two.is_explained);
  EXPECT_EQ(two.trace_path, "");
}

TEST_F(LedgerTest, AnotherFailureExplainsNothing) {
  result.verdicts.reserve(2);
  ledger.take(add_verdict(atomicity("x"), Verdict::End::kConfirmed), finding(3, "a"));
  Verdict& two = add_verdict(atomicity("x and y", true), Verdict::End::kConfirmed);
  two.finding = finding(4, "b");
  two.trace_path = folder / "b";
  EXPECT_THAT(ledger.drop_explained(), ::testing::IsEmpty());
  EXPECT_EQ(two.end, Verdict::End::kConfirmed);
}

}  // namespace
}  // namespace snag::active
