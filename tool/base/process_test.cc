#include "tool/base/process.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace snag {
namespace {

struct Ended {
  int status = 0;
  std::string output;
};

// Runs `sh -c script` with its standard output in a pipe.
Ended run_shell(const std::string& script, ProcessStart start) {
  int ends[2];
  EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
  start.path = "/bin/sh";
  start.argv = {"sh", "-c", script};
  start.output = ends[1];
  const auto pid = start_process(start);
  close(ends[1]);
  EXPECT_TRUE(pid);
  Ended ended;
  char buffer[256];
  for (ssize_t size = 0; (size = read(ends[0], buffer, sizeof buffer)) > 0;)
    ended.output.append(buffer, static_cast<std::size_t>(size));
  close(ends[0]);
  if (pid) waitpid(*pid, &ended.status, 0);
  return ended;
}

struct Variables {
  Variables() {
    for (const char* name : {"SNAG_CONTROL", "SNAG_COVER", "SNAG_REPLAY"}) setenv(name, "old", 1);
  }
  ~Variables() {
    for (const char* name : {"SNAG_CONTROL", "SNAG_COVER", "SNAG_REPLAY"}) unsetenv(name);
  }
};

constexpr const char* kPrintVariables = "echo $SNAG_CONTROL,$SNAG_COVER,$SNAG_REPLAY";

TEST(Process, TheUsersProgramKeepsOnlyVariablesThatUsersSet) {
  const Variables variables;
  EXPECT_EQ(run_shell(kPrintVariables, {}).output, ",,old\n");
}

TEST(Process, ProcessesOfTheToolKeepNoVariable) {
  const Variables variables;
  ProcessStart start;
  start.is_users_program = false;
  EXPECT_EQ(run_shell(kPrintVariables, start).output, ",,\n");
}

TEST(Process, AddsAVariable) {
  const Variables variables;
  ProcessStart start;
  start.variable = "SNAG_COVER=7";
  EXPECT_EQ(run_shell(kPrintVariables, start).output, ",7,old\n");
}

TEST(Process, LeadsItsOwnGroupIfWanted) {
  for (const bool own_group : {true, false}) {
    ProcessStart start;
    start.own_group = own_group;
    // Field 5 of /proc/PID/stat is the process group; the name in field 2 has no blanks here.
    const Ended ended = run_shell(
        "read -r pid name state parent group rest </proc/$$/stat; "
        "test $pid = $group",
        start);
    EXPECT_EQ(ended.status == 0, own_group);
  }
}

TEST(Process, NullDeviceIsEmptyInput) {
  ProcessStart start;
  start.input = kNullDevice;
  EXPECT_EQ(run_shell("cat; echo end", start).output, "end\n");
}

TEST(Process, SaysWhyItCannotBeStarted) {
  ProcessStart start;
  start.path = "/no/such/program";
  start.argv = {"program"};
  const auto pid = start_process(start);
  ASSERT_FALSE(pid);
  EXPECT_EQ(pid.error().kind, ErrorKind::kNothingRan);
  EXPECT_EQ(pid.error().message, "cannot start '/no/such/program': No such file or directory");
}

TEST(Process, DescribesTheEnd) {
  EXPECT_EQ(describe_status(run_shell("exit 3", {}).status), "exited with status 3");
  EXPECT_EQ(describe_status(run_shell("kill -SEGV $$", {}).status), "was killed by SIGSEGV");
}

}  // namespace
}  // namespace snag
