#include "tool/trace/position.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace snag::trace {
namespace {

Step step(Tid thread, std::uint64_t pc, OpKind kind = OpKind::kMutexLock, std::uint8_t flags = 0) {
  return {pc, 0, thread, kind, flags, 0};
}

// Program counters of a file that is not there: each gets a name of its own, without a line.
binary::ModuleMap fake_modules() { return binary::ModuleMap({{0, 0, 0x1000, "/no/such/program"}}); }

TEST(FindStretches, EncodesRunLengths) {
  const auto stretches = find_stretches({step(0, 1), step(0, 2), step(1, 1), step(0, 3)});
  ASSERT_EQ(stretches.size(), 3u);
  EXPECT_EQ(stretches[0].steps, 2u);
  EXPECT_EQ(stretches[1].thread, 1);
  EXPECT_TRUE(find_stretches({}).empty());
}

TEST(FindSwitches, NextStepOfAThreadTellsWhereItStopped) {
  session::FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x10), step(0, 0x20), step(1, 0x30), step(0, 0x20), step(1, 0x40)};
  binary::Symbolizer symbolizer;
  const auto switches = find_switches(run, symbolizer);
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_EQ(switches[0].thread, 0);
  EXPECT_EQ(switches[0].steps, 2u);
  EXPECT_EQ(switches[0].to, 1);
  ASSERT_TRUE(switches[0].until);
  EXPECT_EQ(switches[0].until->function, "program+0x1f");
  EXPECT_EQ(switches[0].occurrence, 2u);  // it had been there before
  EXPECT_EQ(switches[1].until->function, "program+0x3f");
  EXPECT_FALSE(
      switches[2].until);  // T0 never ran again, and no report says what it was about to do
}

TEST(FindSwitches, ReportOfTheFailureTellsAboutThreadsThatNeverRanAgain) {
  session::FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x10), step(1, 0x30)};
  ThreadReport report{};
  report.thread = 0;
  report.status = ThreadStatus::kBlocked;
  report.pending = OpKind::kThreadJoin;
  report.pending_pc = 0x50;
  run.threads = {report};
  binary::Symbolizer symbolizer;
  const auto switches = find_switches(run, symbolizer);
  ASSERT_EQ(switches.size(), 1u);
  ASSERT_TRUE(switches[0].until);
  EXPECT_EQ(switches[0].until->op, OpKind::kThreadJoin);
  EXPECT_EQ(switches[0].until->function, "program+0x4f");
}

TEST(FindSwitches, SilentStepsDoNotCount) {
  session::FailedRun run;
  run.modules = fake_modules();
  run.steps = {step(0, 0x20, OpKind::kMutexUnlock, kSilentStep), step(1, 0x30),
               step(0, 0x20, OpKind::kMutexUnlock)};
  binary::Symbolizer symbolizer;
  EXPECT_EQ(find_switches(run, symbolizer)[0].occurrence, 1u);
}

binary::Frame frame(const char* function, const char* file, int line) {
  return {function, file, line, 3, line - 2};
}
const binary::Frame kLibrary =
    frame("std::mutex::lock", "/usr/include/c++/13/bits/std_mutex.h", 113);
const binary::Frame kUser = frame("Queue::pop", "/src/queue.cc", 41);

TEST(Position, IsThatOfTheUsersFrame) {
  const Position position = position_of(OpKind::kMutexLock, {kLibrary}, {kLibrary, kUser});
  EXPECT_EQ(position.place(), "queue.cc:41");
  EXPECT_EQ(position.function, "Queue::pop");
  EXPECT_EQ(position.line_in_function, 2);
  EXPECT_EQ(position.via, "");
}

TEST(Position, TellsPlainAccessesInsideALibraryApart) {
  const binary::Frame other = frame("std::mutex::lock", kLibrary.file.c_str(), 114);
  const Position inlined = position_of(OpKind::kRead, {kLibrary, kUser}, {kLibrary, kUser});
  EXPECT_EQ(inlined.via, "std::mutex::lock+2:3");
  EXPECT_EQ(position_of(OpKind::kRead, {kLibrary}, {kUser}).key(), inlined.key());
  EXPECT_EQ(position_of(OpKind::kRead, {kUser}, {kUser}).via, "");
  EXPECT_EQ(position_of(OpKind::kRead, {kLibrary}, {kLibrary}).via, "");
  binary::Frame later = other;
  later.function_line = kLibrary.function_line;
  EXPECT_NE(position_of(OpKind::kRead, {later}, {kUser}).key(), inlined.key());
}

TEST(Position, KeyLeavesOutTheAbsoluteLine) {
  const Position one{OpKind::kWrite, "f", "f.cc", 10, 3, 2, ""};
  Position two = one;
  two.line = 99;
  EXPECT_EQ(one.key(), two.key());
  two.line_in_function = 3;
  EXPECT_NE(one.key(), two.key());
}

// Two functions of a user, and addresses of a library without debug information.
class CallerRule : public testing::Test {
 protected:
  static constexpr std::uint64_t kBase = 0x555500000000;
  static constexpr std::uint64_t kInLibrary = 0x101, kElsewhereInLibrary = 0x201;

  void SetUp() override {
    char name[] = "/tmp/snag-position-XXXXXX";
    folder_ = mkdtemp(name);
    std::ofstream(folder_ / "two.cc") << R"(#include <cstdio>
extern "C" char __executable_start;
int first() { return 1; }   // line 3
int second() { return 2; }  // line 4
unsigned long offset(int (*f)()) { return (unsigned long)f - (unsigned long)&__executable_start; }
int main() { std::printf("%lx %lx", offset(first), offset(second)); }
)";
    const std::string program = folder_ / "two";
    const std::string command = "g++ -g -O0 -fPIE -pie -o " + program + " " + program + ".cc";
    if (std::system("command -v g++ >/dev/null") != 0) GTEST_SKIP() << "no g++";
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
    FILE* pipe = popen(program.c_str(), "r");
    ASSERT_EQ(std::fscanf(pipe, "%lx %lx", &first_, &second_), 2);
    pclose(pipe);
    first_ += kBase + 1;
    second_ += kBase + 1;
    modules_ = binary::ModuleMap(
        {{kBase, kBase, kBase + 0x1000000, program}, {0, 0, 0x1000, "/no/such/library.so"}});
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string place(OpKind op, std::uint64_t pc, std::vector<std::uint64_t> callers) {
    return table_.position(table_.id(op, pc, callers)).place();
  }

  std::filesystem::path folder_;
  std::uint64_t first_ = 0, second_ = 0;
  binary::Symbolizer symbolizer_;
  binary::ModuleMap modules_;
  PositionTable table_{symbolizer_, modules_};
};

TEST_F(CallerRule, FirstUserFrameIsThePosition) {
  const OpKind lock = OpKind::kMutexLock;
  EXPECT_EQ(place(lock, second_, {first_}), "two.cc:4");
  EXPECT_EQ(place(lock, kInLibrary, {kElsewhereInLibrary, first_, second_}), "two.cc:3");
  EXPECT_EQ(place(lock, kInLibrary, {kElsewhereInLibrary, second_, first_}), "two.cc:4");
  EXPECT_EQ(place(lock, kInLibrary, {first_}), "two.cc:3");
  EXPECT_EQ(place(lock, kInLibrary, {}), "library.so+0x100");
  EXPECT_EQ(place(lock, kInLibrary, {kElsewhereInLibrary}), "library.so+0x100");
  EXPECT_EQ(place(lock, kInLibrary, {0, first_}), "library.so+0x100");
  EXPECT_EQ(place(lock, 0, {first_}), "two.cc:3");
}

TEST_F(CallerRule, PlainAccessesOfOneCallAreDifferentPositions) {
  const std::vector<std::uint64_t> callers = {first_};
  EXPECT_EQ(table_.id(OpKind::kMutexLock, kInLibrary, callers),
            table_.id(OpKind::kMutexLock, kElsewhereInLibrary, callers));
  EXPECT_NE(table_.id(OpKind::kRead, kInLibrary, callers),
            table_.id(OpKind::kRead, kElsewhereInLibrary, callers));
  EXPECT_EQ(place(OpKind::kRead, kInLibrary, callers), "two.cc:3");
}

TEST_F(CallerRule, SwitchesUseTheCallersOfStepsAndOfStoppedThreads) {
  session::FailedRun run;
  run.modules = modules_;
  run.steps = {step(0, kInLibrary), step(1, kInLibrary), step(0, kInLibrary), step(1, first_)};
  run.frames.assign(run.steps.size() * kStepFrames, 0);
  run.frames[0] = first_;
  run.frames[2 * kStepFrames] = kElsewhereInLibrary;
  run.frames[2 * kStepFrames + 1] = second_;
  ThreadReport report{};
  report.thread = 0;
  report.status = ThreadStatus::kBlocked;
  report.pending = OpKind::kMutexLock;
  report.pending_pc = report.stack[0] = kInLibrary;
  report.stack[1] = first_;
  report.depth = 2;
  run.threads = {report};
  auto switches = find_switches(run, symbolizer_);
  ASSERT_EQ(switches.size(), 3u);
  EXPECT_EQ(switches[0].until->place(), "two.cc:4");
  EXPECT_EQ(switches[0].occurrence, 1u);
  EXPECT_EQ(switches[2].until->place(), "two.cc:3");
  EXPECT_EQ(switches[2].occurrence, 2u);

  run.frames.clear();  // of a run that was not replayed: all positions without callers
  switches = find_switches(run, symbolizer_);
  EXPECT_EQ(switches[0].until->place(), "library.so+0x100");
  EXPECT_EQ(switches[0].occurrence, 2u);
  EXPECT_EQ(switches[2].until->place(), "library.so+0x100");
  EXPECT_EQ(switches[2].occurrence, 3u);
}

}  // namespace
}  // namespace snag::trace
