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

// Variables by which Snag's parts find each other. Each was meant for the process that has it now,
// so new processes do not inherit it. They get the one in ProcessStart::variable instead.
struct ClearedVariable {
  const char* name;
  bool users_may_set_it;  // the user's program inherits it; the tool's own processes do not
};
constexpr ClearedVariable kClearedVariables[] = {
    {kControlVariable, false},  // descriptor of the control block (protocol/shared_memory.h)
    {kCoverVariable, false},    // descriptor of the coverage store (protocol/coverage.h)
    {"SNAG_REPLAY", true},      // replay token for snag::explore (include/snag/explore.h)
};

bool is_cleared(std::string_view name, bool is_users_program) {
  for (const ClearedVariable& variable : kClearedVariables) {
    if (name == variable.name) return !(is_users_program && variable.users_may_set_it);
  }
  return false;
}

std::vector<std::string> child_environment(const ProcessStart& start) {
  std::vector<std::string> result;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (!is_cleared(text.substr(0, text.find('=')), start.is_users_program))
      result.emplace_back(text);
  }
  if (!start.variable.empty()) result.push_back(start.variable);
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

// Runs between fork and exec: system calls only.
bool connect(int stream, int fd) {
  if (fd == kInherited) return true;
  if (fd == kNullDevice) fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  return fd >= 0 && dup2(fd, stream) >= 0;
}

bool prepare(const ProcessStart& start) {
  // Addresses are the same in every run and replay, so that code that depends on them takes the
  // same path. Where the system does not allow it, they stay random.
  if (start.same_addresses) {
    const int now = personality(0xffffffff);
    if (now >= 0) personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE);
  }
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  return connect(STDIN_FILENO, start.input) && connect(STDOUT_FILENO, start.output) &&
         connect(STDERR_FILENO, start.error) &&
         (start.kept_fd < 0 || fcntl(start.kept_fd, F_SETFD, 0) == 0) &&
         (start.directory.empty() || chdir(start.directory.c_str()) == 0);
}

// Sends the error number through the pipe if the process cannot be started.
[[noreturn]] void become(const ProcessStart& start, char** argv, char** environment, pid_t parent,
                         int error_pipe) {
  if (start.own_group) setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // the tool died before prctl
  if (prepare(start)) {
    if (start.searches_path) {
      execvpe(start.path.c_str(), argv, environment);
    } else {
      execve(start.path.c_str(), argv, environment);
    }
  }
  const int error = errno;
  [[maybe_unused]] const ssize_t written = write(error_pipe, &error, sizeof(error));
  _exit(127);
}

}  // namespace

Expected<pid_t> start_process(const ProcessStart& start) {
  int error_pipe[2];
  if (pipe2(error_pipe, O_CLOEXEC) != 0)
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<std::string> argv = start.argv;
  std::vector<std::string> environment = child_environment(start);
  std::vector<char*> argv_pointers = pointers(argv);
  std::vector<char*> environment_pointers = pointers(environment);
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid == 0)
    become(start, argv_pointers.data(), environment_pointers.data(), parent, error_pipe[1]);
  const int fork_error = errno;
  close(error_pipe[1]);
  int exec_error = 0;
  const bool exec_failed =
      pid > 0 && TEMP_FAILURE_RETRY(read(error_pipe[0], &exec_error, sizeof(exec_error))) ==
                     static_cast<ssize_t>(sizeof(exec_error));
  close(error_pipe[0]);
  if (pid < 0)
    return internal_error(fmt::format("cannot start a process: {}", std::strerror(fork_error)));
  if (exec_failed) {
    TEMP_FAILURE_RETRY(waitpid(pid, nullptr, 0));
    return nothing_ran(fmt::format("cannot start '{}': {}", start.path, std::strerror(exec_error)));
  }
  return pid;
}

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
  ProcessStart start;
  start.path = program.path;
  start.argv = program.argv;
  start.variable = fmt::format("{}={}", kControlVariable, control_fd);
  start.input = input;
  start.output = start.error = output_fd;
  start.kept_fd = control_fd;
  start.same_addresses = !wants_random_addresses();
  auto pid = start_process(start);
  close(input);
  return pid;
}

Expected<pid_t> start_freely(const Program& program, const std::string& variable) {
  ProcessStart start;
  start.path = program.path;
  start.argv = program.argv;
  start.variable = variable;
  start.own_group = false;
  return start_process(start);
}

std::string describe_status(int wait_status) {
  if (WIFSIGNALED(wait_status)) {
    return fmt::format("was killed by {}", signal_name(WTERMSIG(wait_status)));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(wait_status));
}

}  // namespace snag
