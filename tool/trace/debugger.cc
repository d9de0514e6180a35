#include "tool/trace/debugger.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tool/base/json.h"
#include "tool/base/names.h"
#include "tool/session/session.h"
#include "tool/trace/replay.h"

namespace snag::trace {
namespace {

using OrderedJson = nlohmann::ordered_json;

std::string shell_word(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

Expected<std::string> find_gdb() {
  const char* named = std::getenv(kGdbVariable);
  const std::string command = named != nullptr && *named != '\0' ? named : "gdb";
  auto path = find_program(command);
  if (!path || access(path->c_str(), X_OK) != 0) {
    return nothing_ran(fmt::format("there is no '{}' to debug with: install gdb, or name one in {}",
                                   command, kGdbVariable));
  }
  const std::string probe = fmt::format(
      "{} -nx -batch -ex 'python print(6 * 7)' </dev/null 2>/dev/null", shell_word(*path));
  FILE* output = popen(probe.c_str(), "r");
  char answer[16] = "";
  const bool answered = output != nullptr && fgets(answer, sizeof(answer), output) != nullptr &&
                        std::strcmp(answer, "42\n") == 0;
  if (output != nullptr) pclose(output);
  if (!answered) {
    return nothing_ran(fmt::format(
        "'{}' is not a gdb with Python, which --gdb needs: install Debian's gdb (not gdb-minimal)",
        *path));
  }
  return *path;
}

// The current values of environment variables that gdb would change.
OrderedJson environment(int control) {
  OrderedJson result = {{"SNAG_GDB_SESSION", nullptr}, {kControlVariable, std::to_string(control)}};
  for (const char* name : {"SHELL", "LINES", "COLUMNS"}) {
    const char* value = std::getenv(name);
    result[name] = value != nullptr ? OrderedJson(value) : OrderedJson(nullptr);
  }
  return result;
}

std::string session_text(const Trace& trace, const DebugOptions& options, int control) {
  std::string arguments;
  for (std::size_t i = 1; i < trace.program.argv.size(); ++i)
    arguments += shell_word(trace.program.argv[i]) + " ";
  arguments +=
      "< " + shell_word(trace.program.stdin_path.empty() ? "/dev/null" : trace.program.stdin_path);
  OrderedJson failures = OrderedJson::array();
  for (const FailureRow& row : kFailureRows) failures.push_back(row.name);
  OrderedJson session = {{"arguments", arguments},
                         {"environment", environment(control)},
                         {"control", control},
                         {"control_size", sizeof(Shared)},
                         {"trace", options.trace_path},
                         {"steps", trace.steps},
                         {"stop_step", stop_step(trace)},
                         {"kind", trace.failure.kind_name()},
                         {"detail", trace.failure.detail},
                         {"message", trace.failure.message},
                         {"ops", kOpNames},
                         {"failures", failures}};
  return json_text(session, -1, true);
}

// An anonymous file with the text; -1 if that fails.
int text_file(const std::string& text) {
  const int fd = memfd_create("snag-gdb", 0);
  if (fd >= 0 && write(fd, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
    close(fd);
    return -1;
  }
  return fd;
}

}  // namespace

std::uint64_t stop_step(const Trace& trace) {
  // These failures happen after the last step.
  return has_trait(trace.failure.kind, kThreadsWait | kOutOfSteps) ? 0 : trace.steps;
}

Error debug(const Trace& trace, const DebugOptions& options) {
  const auto gdb = find_gdb();
  if (!gdb) return gdb.error();
  session::SessionOptions session;
  session.config = replay_config(trace, StrategyKind::kReplay);
  session.config.in_place = 1;
  session.config.stop_step = stop_step(trace);
  session.config.record_frames = 0;
  session.schedule = trace.schedule;
  session.choices = trace.choices;
  session.points = trace.points;
  const auto block = session::make_control_block(session);
  if (!block) return block.error();
  const int text = text_file(session_text(trace, options, block->fd()));
  if (text < 0 || fcntl(block->fd(), F_SETFD, 0) != 0) {
    return {ErrorKind::kInternal,
            fmt::format("cannot pass the trace to gdb: {}", std::strerror(errno))};
  }
  setenv("SNAG_GDB_SESSION", std::to_string(text).c_str(), 1);
  setenv("SHELL", "/bin/sh", 1);  // gdb starts the program with it, so it must support quoting
  std::vector<std::string> command = {*gdb, "-q", trace.program.path, "-x",
                                      options.resources.data_dir() + "/gdb/snag_gdb.py"};
  command.insert(command.end(), options.gdb_arguments.begin(), options.gdb_arguments.end());
  std::vector<char*> argv;
  for (std::string& word : command) argv.push_back(word.data());
  argv.push_back(nullptr);
  execv(gdb->c_str(), argv.data());
  return {ErrorKind::kNothingRan, fmt::format("cannot start '{}': {}", *gdb, std::strerror(errno))};
}

}  // namespace snag::trace
