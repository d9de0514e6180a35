#include "tool/base/subprocess.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace snag {
namespace {

const std::function<bool()> kNever = [] { return false; };

TEST(Subprocess, KeepsWhatIsPrintedAndTheExitCode) {
  const auto printed = run_command({"sh", "-c", "echo one; echo two >&2; exit 3"}, "", kNever);
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->out, "one\n");
  EXPECT_EQ(printed->err, "two\n");
  EXPECT_EQ(printed->exit_code, 3);
}

TEST(Subprocess, ReadsBothStreamsAtOnce) {
  const auto printed = run_command(
      {"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}, "", kNever);
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->out.size(), 300'000u);
  EXPECT_EQ(printed->err.size(), 300'000u);
}

TEST(Subprocess, RunsInTheFolder) {
  const auto printed = run_command({"pwd"}, "/", kNever);
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->out, "/\n");
}

TEST(Subprocess, SaysThatItCannotBeStarted) {
  for (const char* directory : {"", "/no/such/folder"}) {
    const auto printed =
        run_command({directory[0] == '\0' ? "/no/such/program" : "true"}, directory, kNever);
    ASSERT_FALSE(printed);
    EXPECT_THAT(printed.error().message, testing::HasSubstr("No such file"));
  }
}

TEST(Subprocess, SaysWhichSignalEndedIt) {
  const auto printed = run_command({"sh", "-c", "kill -TERM $$"}, "", kNever);
  ASSERT_TRUE(printed);
  EXPECT_EQ(printed->exit_code, 128 + SIGTERM);
}

TEST(Subprocess, IsStoppedWithAllThatItHasStarted) {
  // The shell waits for its child, which waits forever; both have the pipe.
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  bool is_asked = false;
  const auto printed = run_command({"sh", "-c", "tail -f /dev/null; true"}, "",
                                   [&] { return std::exchange(is_asked, true); });
  ASSERT_FALSE(printed);
  EXPECT_THAT(printed.error().message, testing::HasSubstr("was stopped"));
  close(ends[1]);
  char byte = 0;
  EXPECT_EQ(read(ends[0], &byte, 1), 0) << "nobody has the other end any more";
  close(ends[0]);
}

}  // namespace
}  // namespace snag
