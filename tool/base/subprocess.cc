#include "tool/base/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "tool/base/process.h"

namespace snag {
namespace {

// How often to ask whether to stop.
constexpr int kPollMilliseconds = 50;

// Reads both pipes at once: a command blocks on a full pipe, so reading them one after the other
// could deadlock. Returns false if the command is to be stopped.
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

}  // namespace

Expected<Printed> run_command(const std::vector<std::string>& command, const std::string& directory,
                              const std::function<bool()>& should_stop) {
  Pipe out, err;
  if (!out.open() || !err.open())
    return internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  ProcessStart start;
  start.path = command[0];
  start.argv = command;
  start.directory = directory;
  start.input = kNullDevice;
  start.output = out.write;
  start.error = err.write;
  start.searches_path = true;
  start.is_users_program = false;
  const auto child = start_process(start);
  if (!child) return internal_error(child.error().message);
  out.close_write();
  err.close_write();
  Printed printed;
  const bool is_done = drain(out.read, err.read, should_stop, printed);
  if (!is_done) kill(-*child, SIGKILL);
  TEMP_FAILURE_RETRY(waitpid(*child, &printed.wait_status, 0));
  if (!is_done) return nothing_ran(fmt::format("'{}' was stopped", command[0]));
  const int status = printed.wait_status;
  printed.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return printed;
}

}  // namespace snag
