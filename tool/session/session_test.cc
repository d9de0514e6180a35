#include "tool/session/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/session/failed_run.h"
#include "tool/session/fake_server_for_test.h"

namespace snag::session {
namespace {

using testing::HasSubstr;

SessionOptions options_for(std::uint64_t runs) {
  SessionOptions options;
  options.config.max_runs = runs;
  options.config.run_stride = 1;
  options.config.settings.max_steps = 1000;
  options.config.settings.hang_ms = 200;
  return options;
}

// Waits for the next event; fails the test instead of hanging.
Event next_event(Session& session) {
  const auto deadline = Clock::now() + std::chrono::seconds(20);
  while (Clock::now() < deadline) {
    if (const Event event = session.wait(milliseconds(50)); event != Event::kNone) return event;
  }
  ADD_FAILURE() << "no event";
  return Event::kNone;
}

std::unique_ptr<Session> started(const char* scenario, std::uint64_t runs = 10) {
  auto session = Session::start(fake::program(scenario), options_for(runs));
  EXPECT_TRUE(session.has_value());
  return std::move(*session);
}

TEST(Session, RunsToTheEnd) {
  const auto session = started("clean");
  EXPECT_EQ(next_event(*session), Event::kFinished);
  EXPECT_EQ(session->shared().live.runs.load(), 10u);
}

TEST(Session, StopsAtAFailureAndGoesOn) {
  const auto session = started("fails");
  ASSERT_EQ(next_event(*session), Event::kFailed);
  const FailedRun run = copy_failed_run(session->shared(), CopyDepth::kEverything);
  EXPECT_EQ(run.kind, FailureKind::kDeadlock);
  EXPECT_EQ(run.number, 3u);
  EXPECT_EQ(run.steps.size(), 6u);
  EXPECT_EQ(run.threads.size(), 3u);
  session->resume();
  EXPECT_EQ(next_event(*session), Event::kFinished);
  EXPECT_EQ(session->shared().live.runs.load(), 10u);
}

struct DeathCase {
  const char* scenario;
  ErrorKind kind;
  const char* message;
};

class SessionDeath : public testing::TestWithParam<DeathCase> {};

TEST_P(SessionDeath, IsExplained) {
  const auto session = started(GetParam().scenario);
  ASSERT_EQ(next_event(*session), Event::kDied);
  EXPECT_EQ(session->error().kind, GetParam().kind);
  EXPECT_THAT(session->error().message, HasSubstr(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, SessionDeath,
    testing::Values(
        DeathCase{"crash-early", ErrorKind::kNothingRan, "was killed by SIGSEGV before main"},
        DeathCase{
            "exit-early", ErrorKind::kNothingRan,
            "exited with status 7 before main; its last words: cannot open the configuration"},
        DeathCase{"refuse", ErrorKind::kNothingRan, "this program cannot be controlled"},
        DeathCase{"dies", ErrorKind::kInternal, "was killed by SIGKILL after 5 runs"}));

TEST(Session, ProgramThatDoesNotExistCannotStart) {
  const auto session = Session::start({"/no/such/program", {"x"}, ""}, options_for(1));
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().kind, ErrorKind::kNothingRan);
}

TEST(Session, MissingStandardInputIsAUsageError) {
  Program program = fake::program("clean");
  program.stdin_path = "/no/such/file";
  const auto session = Session::start(program, options_for(1));
  ASSERT_FALSE(session.has_value());
  EXPECT_EQ(session.error().kind, ErrorKind::kUsage);
}

TEST(Session, HangIsAskedToReport) {
  const auto session = started("hang", 1);
  ASSERT_EQ(next_event(*session), Event::kFailed);
  const FailedRun run = copy_failed_run(session->shared(), CopyDepth::kSummary);
  EXPECT_EQ(run.kind, FailureKind::kHang);
  EXPECT_EQ(run.message, "no schedule point was reached any more");
}

TEST(Session, HangThatDoesNotAnswerIsKilled) {
  const auto session = started("hang-hard", 1);
  ASSERT_EQ(next_event(*session), Event::kFailed);
  const FailedRun run = copy_failed_run(session->shared(), CopyDepth::kSummary);
  EXPECT_EQ(run.kind, FailureKind::kHang);
  EXPECT_THAT(run.message, HasSubstr("was killed"));
}

TEST(Session, SignalsNoProcessThatIsNoRun) {
  // It would be this test's own, which the signal would end.
  const auto session = started("names-the-tool", 1);
  ASSERT_EQ(next_event(*session), Event::kDied);
  EXPECT_THAT(session->error().message, HasSubstr("overwrote Snag's shared memory"));
}

TEST(Session, LeavesNoProcessBehind) {
  auto session = started("hang-hard", 1);
  while (session->shared().live.child.load() == 0) session->wait(milliseconds(1));
  const pid_t child = session->shared().live.child.load();
  session.reset();
  for (int i = 0; i < 200 && kill(child, 0) == 0; ++i) usleep(10'000);
  EXPECT_NE(kill(child, 0), 0);
}

TEST(CopyFailedRun, SurvivesScribbledMemory) {
  auto block = ControlBlock::create(10, 0);
  ASSERT_TRUE(block.has_value());
  Shared& shared = block->shared();
  shared.run.steps.store(UINT64_MAX);
  shared.run.choices.store(UINT32_MAX);
  shared.run.points_used = UINT32_MAX;
  shared.run.threads = UINT32_MAX;
  shared.run.failure.threads = UINT32_MAX;
  shared.module_count = UINT32_MAX;
  std::memset(shared.run.failure.message, 'x', sizeof(shared.run.failure.message));
  shared.steps()[0].kind = static_cast<OpKind>(200);
  shared.threads[0].depth = 60'000;
  shared.threads[0].pending = static_cast<OpKind>(200);
  shared.run.end.store(RunEnd::kFailed);
  const FailedRun run = copy_failed_run(shared, CopyDepth::kEverything);
  EXPECT_EQ(run.steps.size(), 10u);
  EXPECT_EQ(run.steps[0].kind, OpKind::kNone);
  EXPECT_EQ(run.threads[0].depth, kMaxStackDepth);
  EXPECT_EQ(run.message.size(), sizeof(shared.run.failure.message));
}

}  // namespace
}  // namespace snag::session
