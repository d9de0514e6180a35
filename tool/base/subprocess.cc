#include "tool/base/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace snag {
namespace {

// Between two looks at whether to stop.
constexpr int kPollMilliseconds = 50;

// Reads both at once: a command that fills one pipe while we wait for the other would never end.
// False: it is to be stopped.
bool drain(int out, int err, const std::function<bool()>& should_stop, Printed& printed) {
  struct pollfd both[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  char buffer[16 * 1024];
  while (both[0].fd >= 0 || both[1].fd >= 0) {
    if (should_stop()) return false;
    if (poll(both, 2, kPollMilliseconds) <= 0) continue;
    for (int i = 0; i < 2; ++i) {
      if (both[i].fd < 0 || both[i].revents == 0) continue;
      const ssize_t size = TEMP_FAILURE_RETRY(read(both[i].fd, buffer, sizeof buffer));
      if (size <= 0) {
        both[i].fd = -1;
      } else {
        (i == 0 ? printed.out : printed.err).append(buffer, static_cast<std::size_t>(size));
      }
    }
  }
  return true;
}

struct Pipe {
  int read = -1, write = -1;
  bool open() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    read = ends[0], write = ends[1];
    return true;
  }
  void close_write() {
    if (write >= 0) close(write);
    write = -1;
  }
  ~Pipe() {
    close_write();
    if (read >= 0) close(read);
  }
};

// In a process group of its own, so that it can be ended with all that it has started. What cannot
// be done is written to `problem`, as the number of the error.
[[noreturn]] void become(char* const* words, const char* directory, pid_t parent, int out, int err,
                         int problem) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  const int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
  dup2(null, STDIN_FILENO);
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  if (*directory == '\0' || chdir(directory) == 0) execvp(words[0], words);
  const int error = errno;
  [[maybe_unused]] const ssize_t wrote = write(problem, &error, sizeof error);
  _exit(127);
}

}  // namespace

Expected<Printed> run_command(const std::vector<std::string>& command, const std::string& directory,
                              const std::function<bool()>& should_stop) {
  Pipe out, err, problem;
  if (!out.open() || !err.open() || !problem.open())
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0) {
    return internal_error(fmt::format("cannot start '{}': {}", command[0], std::strerror(errno)));
  }
  if (child == 0)
    become(words.data(), directory.c_str(), parent, out.write, err.write, problem.write);
  setpgid(child, child);  // whoever of the two is first
  for (Pipe* pipe : {&out, &err, &problem}) pipe->close_write();
  Printed printed;
  const bool is_done = drain(out.read, err.read, should_stop, printed);
  if (!is_done) kill(-child, SIGKILL);
  int status = 0;
  TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
  if (!is_done) return nothing_ran(fmt::format("'{}' was stopped", command[0]));
  int error = 0;
  if (TEMP_FAILURE_RETRY(read(problem.read, &error, sizeof error)) == sizeof error) {
    return internal_error(fmt::format("cannot start '{}': {}", command[0], std::strerror(error)));
  }
  printed.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return printed;
}

}  // namespace snag
