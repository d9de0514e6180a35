// Tests that pass (Pass...) and that fail (Fail...), each for another reason; run.py looks at what
// GoogleTest says.
#include <snag/schedule_gtest.h>

#include <stdexcept>
#include <thread>

#include "mailbox.h"

SNAG_SCHEDULED_TEST(PassMailbox, Take, {"blocks", "[startingTake] -> startingPut"},
                    {"finds it there", "finishedPut -> startingTake"}) {
  Mailbox mailbox;
  std::thread putter([&] {
    SNAG_EVENT(startingPut);
    mailbox.put(7);
    SNAG_EVENT(finishedPut);
  });
  SNAG_EVENT(startingTake);
  EXPECT_EQ(mailbox.take(), 7);
  putter.join();
  const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
  EXPECT_EQ(mailbox.waits(), name == "Take/blocks" ? 1 : 0) << name;
}

TEST(PassMailbox, PlainTestOfTheSameSuite) {
  snag::Schedule schedule{"putDone -> takes"};
  Mailbox mailbox;
  std::thread putter([&] {
    mailbox.put(7);
    SNAG_EVENT(putDone);
  });
  SNAG_EVENT(takes);
  EXPECT_EQ(mailbox.take(), 7);
  EXPECT_EQ(mailbox.waits(), 0);
  putter.join();
}

// The fixture has a thread, which goes on until the fixture is removed.
class PassFixture : public testing::Test {
 protected:
  ~PassFixture() override { putter_.join(); }
  void SetUp() override {
    putter_ = std::thread([this] {
      SNAG_EVENT(fixturePuts);
      mailbox_.put(7);
      SNAG_EVENT(fixtureHasPut);
    });
  }
  static void SetUpTestSuite() { ++suites_; }

  Mailbox mailbox_;
  std::thread putter_;
  static inline int suites_ = 0;
};

SNAG_SCHEDULED_TEST_F(PassFixture, Take, {"blocks", "[fixtureTakes] -> fixturePuts"},
                      {"finds it there", "fixtureHasPut -> fixtureTakes"}) {
  SNAG_EVENT(fixtureTakes);
  EXPECT_EQ(mailbox_.take(), 7);
  EXPECT_EQ(suites_, 1);
}

TEST_F(PassFixture, PlainTestOfTheSameFixture) { EXPECT_EQ(mailbox_.take(), 7); }

TEST(PassSkipped, EventsOfASkippedTestAreNotMissed) {
  snag::Schedule schedule{"first -> second"};
  GTEST_SKIP() << "not here";
  SNAG_EVENT(first);
  SNAG_EVENT(second);
}

// Two events in the wrong order, and the schedules that say so.
SNAG_SCHEDULED_TEST(FailOrder, Checked,
                    {"passively", "second -> first", snag::ScheduleMode::kPassive}) {
  SNAG_EVENT(first);
  SNAG_EVENT(second);
}

SNAG_SCHEDULED_TEST(FailOrder, Enforced, {"for ever", "second -> first"}) {
  SNAG_EVENT(first);
  SNAG_EVENT(second);
}

SNAG_SCHEDULED_TEST(FailUnreached, Event, {"never", "first -> forgotten"}) {
  SNAG_EVENT(first);
  if (Mailbox().waits() > 0) SNAG_EVENT(forgotten);
  SNAG_EVENT(second);
}

SNAG_SCHEDULED_TEST(FailException, OfAThread, {"thrown", "first -> throwing"}) {
  std::thread child([] {
    SNAG_EVENT(throwing);
    throw std::runtime_error("the mailbox burns");
  });
  SNAG_EVENT(first);
  child.join();
}

SNAG_SCHEDULED_TEST(FailText, Schedule, {"syntax", "first -> -> second"},
                    {"unknown", "fisrt -> second"}, {"cycle", "first -> second, second -> first"}) {
  std::abort();  // is not run
}

SNAG_SCHEDULED_TEST(FailName, Schedule, {"with-dash", "first -> second"},
                    {"twice", "first -> second"}, {"twice", "first -> second"}) {
  std::abort();
}

TEST(FailPlain, Unmet) {
  snag::Schedule schedule{"first -> forgotten"};
  SNAG_EVENT(first);
}

SNAG_SCHEDULED_TEST(FailAssertion, InTheBody, {"as usual", "first -> second"}) {
  SNAG_EVENT(first);
  ASSERT_EQ(1 + 1, 3);  // so that the second does not come
  SNAG_EVENT(second);
}
