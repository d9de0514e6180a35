// What a livelock's threads re-read, with hand-made runs: no debug information, so places are
// unknown and words are letters.
#include "tool/report/view/spinning.h"

#include <gmock/gmock.h>

namespace snag::report {
namespace {

using session::FailedRun;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::uint64_t kWord = 0x1000;

class Livelock {
 public:
  explicit Livelock(Tid threads) {
    run_.kind = FailureKind::kLivelock;
    for (Tid i = 0; i < threads; ++i) {
      ThreadReport report{};
      report.thread = i;
      report.status = ThreadStatus::kRunnable;
      run_.threads.push_back(report);
    }
  }
  Livelock& step(Tid thread, OpKind kind, std::uint64_t before, std::uint64_t after,
                 std::uint64_t word = kWord) {
    run_.steps.push_back({0x10, word, thread, kind, 0, 0});
    run_.values.push_back({before, after, 4});
    return *this;
  }
  Livelock& spin(Tid thread, OpKind kind, std::uint64_t value) {
    for (int i = 0; i < 70; ++i) step(thread, kind, value, value);
    return *this;
  }
  Livelock& ends(Tid thread) {
    run_.threads[thread].status = ThreadStatus::kFinished;
    return *this;
  }
  FailedRun& get() { return run_; }
  std::string text() {
    binary::Symbolizer symbolizer;
    SourceText source;
    ObjectNames names(symbolizer, run_.modules, source);
    return spinning_threads(run_, symbolizer, names).text;
  }

 private:
  FailedRun run_;
};

TEST(Spinning, ALockThatItsHolderTakesAgain) {
  Livelock run(1);
  run.step(0, OpKind::kAtomicRmw, 0, 1).spin(0, OpKind::kAtomicRmw, 1);
  EXPECT_THAT(run.text(),
              StartsWith("T0 waits for a spin lock that it holds itself: it took A at"));
}

TEST(Spinning, ALockThatIsOnlyReadWhileItIsTaken) {
  Livelock run(1);
  run.step(0, OpKind::kAtomicRmw, 0, 1).step(0, OpKind::kAtomicRmw, 1, 1);
  run.spin(0, OpKind::kAtomicLoad, 1);
  EXPECT_THAT(run.text(), HasSubstr("that it holds itself"));
}

TEST(Spinning, ALockOfAThreadThatEnded) {
  Livelock run(2);
  run.step(1, OpKind::kAtomicRmw, 0, 1).ends(1).spin(0, OpKind::kAtomicRmw, 1);
  EXPECT_THAT(run.text(), StartsWith("T0 re-reads A, which T1 wrote last, at"));
  EXPECT_THAT(run.text(), HasSubstr("and has ended since"));
}

TEST(Spinning, AFlagIsNoLock) {
  Livelock run(1);
  run.step(0, OpKind::kAtomicStore, 1, 0).spin(0, OpKind::kAtomicLoad, 0);
  EXPECT_THAT(run.text(), StartsWith("T0 re-reads A, which it wrote itself last, at"));
}

TEST(Spinning, AnUpdateThatWasNotTriedAgainIsNoLock) {
  Livelock run(1);
  run.step(0, OpKind::kAtomicRmw, 0, 1).spin(0, OpKind::kAtomicLoad, 1);
  EXPECT_THAT(run.text(), testing::Not(HasSubstr("lock")));
}

TEST(Spinning, AWordThatNobodyWrote) {
  Livelock run(1);
  run.spin(0, OpKind::kAtomicLoad, 0);
  EXPECT_EQ(run.text(), "T0 re-reads A, which no thread has written");
}

TEST(Spinning, OwnLocksComeFirst) {
  Livelock run(2);
  run.step(1, OpKind::kAtomicRmw, 0, 1);
  for (int i = 0; i < 70; ++i)
    run.step(0, OpKind::kAtomicLoad, 1, 1).step(1, OpKind::kAtomicRmw, 1, 1);
  EXPECT_THAT(run.text(), StartsWith("T1 waits for a spin lock"));
  EXPECT_THAT(run.text(), HasSubstr("\nT0 re-reads A"));
}

TEST(Spinning, WithoutValuesNothingIsSaid) {
  Livelock run(1);
  run.spin(0, OpKind::kAtomicLoad, 0).get().values.clear();
  EXPECT_EQ(run.text(), "");
}

}  // namespace
}  // namespace snag::report
