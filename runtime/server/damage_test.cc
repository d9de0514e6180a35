#include "runtime/server/damage.h"

#include <gmock/gmock.h>

#include <cstring>
#include <memory>

namespace snag::rt {
namespace {

class DamageTest : public testing::Test {
 protected:
  DamageTest() {
    shared->magic = kProtocolMagic;
    shared->version = kProtocolId;
    shared->step_capacity = 100;
    shared->module_count = 1;
    shared->modules[0].base = 0x1000;
    shared->run.seed = 42;
    check.remember(shared.get());
  }
  void fail() {
    snag::Run& run = shared->run;
    run.failure.kind = FailureKind::kAbort;
    std::strcpy(run.failure.message, "abort was called");
    run.failure.threads = 1;
    shared->threads[0].depth = 3;
    run.end = RunEnd::kFailed;
    run.failure_seal = seal_of(*shared);
  }
  void scribble() { std::memset(static_cast<void*>(shared.get()), 0xff, offsetof(Shared, remote)); }

  std::unique_ptr<Shared> shared = std::make_unique<Shared>();
  DamageCheck check;
};

TEST_F(DamageTest, AFailureIsNoDamage) {
  fail();
  EXPECT_FALSE(check.find_and_repair(shared.get()));
  EXPECT_EQ(shared->run.failure.kind, FailureKind::kAbort);
}

TEST_F(DamageTest, WhatARunMustNotChangeIsRestored) {
  scribble();
  EXPECT_TRUE(check.find_and_repair(shared.get()));
  EXPECT_EQ(shared->magic, kProtocolMagic);
  EXPECT_EQ(shared->step_capacity, 100u);
  EXPECT_EQ(shared->modules[0].base, 0x1000u);
  EXPECT_EQ(shared->run.seed, 42u);
  EXPECT_LE(shared->run.steps, shared->step_capacity);
  EXPECT_LE(shared->run.threads, kMaxThreads);
}

TEST_F(DamageTest, AFailureThatWasRecordedAfterTheDamageIsKept) {
  scribble();
  fail();
  EXPECT_TRUE(check.find_and_repair(shared.get()));
  EXPECT_EQ(shared->run.end, RunEnd::kFailed);
  EXPECT_EQ(shared->run.failure.kind, FailureKind::kAbort);
}

TEST_F(DamageTest, AFailureThatWasDamagedIsNotBelieved) {
  fail();
  shared->run.failure.message[3] = 'x';
  shared->live.runs = 1'000'000;
  EXPECT_TRUE(check.find_and_repair(shared.get()));
  EXPECT_EQ(shared->run.end, RunEnd::kRunning);
  EXPECT_EQ(shared->run.failure.kind, FailureKind::kNone);
}

TEST_F(DamageTest, TheReportsOfTheThreadsBelongToTheFailure) {
  fail();
  shared->threads[0].depth = 4;
  shared->magic = 1;
  EXPECT_TRUE(check.find_and_repair(shared.get()));
  EXPECT_EQ(shared->run.end, RunEnd::kRunning);
}

}  // namespace
}  // namespace snag::rt
