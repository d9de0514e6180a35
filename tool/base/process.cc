#include "tool/base/process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "protocol/coverage.h"
#include "protocol/shared_memory.h"
#include "tool/base/names.h"

namespace snag {
namespace {

bool is_executable_file(const std::string& path) {
  struct stat info {};
  return stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && access(path.c_str(), X_OK) == 0;
}

// The environment for the program: ours, without what another tool may have told us, and with
// "NAME=value".
std::vector<std::string> child_environment(const std::string& variable) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::string_view name = text.substr(0, text.find('='));
    if (name != kControlVariable && name != kCoverVariable) result.emplace_back(text);
  }
  result.push_back(variable);
  return result;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& s : strings) result.push_back(s.data());
  result.push_back(nullptr);
  return result;
}

bool wants_random_addresses() {
  const char* value = std::getenv("SNAG_ASLR");
  return value != nullptr && std::string_view(value) == "1";
}

struct ChildSetup {
  const char* path;
  char** argv;
  char** environment;
  int input, output, control;  // not if it is free
  int error_pipe;
  pid_t parent;
  bool is_free;  // as a shell would start it
  bool same_addresses;
};

// After fork: system calls only. Does not return; an error number through the pipe says what went
// wrong.
[[noreturn]] void become_program(const ChildSetup& setup) {
  if (!setup.is_free) setpgid(0, 0);
  // So that what depends on addresses goes the same way in every run and replay. Where the system
  // does not allow it, things stay as they were.
  if (setup.same_addresses) {
    const int now = personality(0xffffffff);
    if (now >= 0) personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != setup.parent) _exit(127);  // the tool died before it could be noticed
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  const bool has_streams =
      setup.is_free ||
      (dup2(setup.input, STDIN_FILENO) >= 0 && dup2(setup.output, STDOUT_FILENO) >= 0 &&
       dup2(setup.output, STDERR_FILENO) >= 0 && fcntl(setup.control, F_SETFD, 0) == 0);
  if (has_streams) {
    execve(setup.path, setup.argv, setup.environment);
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(setup.error_pipe, &error, sizeof(error));
  _exit(127);
}

Expected<pid_t> start(const Program& program, const std::string& variable, ChildSetup setup) {
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<std::string> argv = program.argv;
  std::vector<std::string> environment = child_environment(variable);
  std::vector<char*> argv_pointers = pointers(argv);
  std::vector<char*> environment_pointers = pointers(environment);
  setup.path = program.path.c_str();
  setup.argv = argv_pointers.data();
  setup.environment = environment_pointers.data();
  setup.error_pipe = error_pipe[1];
  setup.parent = getpid();
  const pid_t pid = fork();
  if (pid == 0) become_program(setup);
  const int fork_error = errno;
  close(error_pipe[1]);
  int exec_error = 0;
  const bool exec_failed =
      pid > 0 && TEMP_FAILURE_RETRY(read(error_pipe[0], &exec_error, sizeof(exec_error))) ==
                     static_cast<ssize_t>(sizeof(exec_error));
  close(error_pipe[0]);
  if (pid < 0) {
    return internal_error(fmt::format("cannot start a process: {}", std::strerror(fork_error)));
  }
  if (exec_failed) {
    TEMP_FAILURE_RETRY(waitpid(pid, nullptr, 0));
    return nothing_ran(
        fmt::format("cannot start '{}': {}", program.path, std::strerror(exec_error)));
  }
  return pid;
}

}  // namespace

Expected<std::string> find_program(const std::string& command) {
  if (command.empty()) return usage_error("no program was given: write it after --");
  if (command.find('/') != std::string::npos) return command;
  const char* path_variable = std::getenv("PATH");
  std::string_view folders = path_variable != nullptr ? path_variable : "/usr/bin:/bin";
  while (true) {
    const std::size_t colon = folders.find(':');
    const std::string_view folder = folders.substr(0, colon);
    const std::string candidate = fmt::format("{}/{}", folder.empty() ? "." : folder, command);
    if (is_executable_file(candidate)) return candidate;
    if (colon == std::string_view::npos) break;
    folders.remove_prefix(colon + 1);
  }
  if (is_executable_file("./" + command)) {
    return nothing_ran(
        fmt::format("'{0}' is not in PATH; for the file in this folder write ./{0}", command));
  }
  return nothing_ran(fmt::format("there is no program '{}' in PATH", command));
}

Expected<pid_t> start_program(const Program& program, int control_fd, int output_fd) {
  const char* input_path = program.stdin_path.empty() ? "/dev/null" : program.stdin_path.c_str();
  const int input = open(input_path, O_RDONLY | O_CLOEXEC);
  if (input < 0) {
    return usage_error(fmt::format("cannot read the program's standard input from '{}': {}",
                                   input_path, std::strerror(errno)));
  }
  ChildSetup setup{};
  setup.input = input;
  setup.output = output_fd;
  setup.control = control_fd;
  setup.same_addresses = !wants_random_addresses();
  auto pid = start(program, fmt::format("{}={}", kControlVariable, control_fd), setup);
  close(input);
  return pid;
}

Expected<pid_t> start_freely(const Program& program, const std::string& variable) {
  ChildSetup setup{};
  setup.is_free = true;
  return start(program, variable, setup);
}

std::string describe_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    return fmt::format("was killed by {}", signal_name(WTERMSIG(wait_status)));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

}  // namespace snag
