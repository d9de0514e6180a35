#include "gen/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

extern char** environ;

namespace snag::gen {
namespace {

// Reads both at once: a command that fills one pipe while we wait for the other would never end.
void drain(int out, int err, Printed& printed) {
  struct pollfd both[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  char buffer[16 * 1024];
  while (both[0].fd >= 0 || both[1].fd >= 0) {
    if (poll(both, 2, -1) < 0 && errno != EINTR) return;
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
}

}  // namespace

engine::Expected<Printed> run_command(const std::vector<std::string>& command,
                                      const std::string& directory) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0)
    return engine::internal_error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  if (pipe2(err, O_CLOEXEC) != 0) {
    const int error = errno;
    close(out[0]);
    close(out[1]);
    return engine::internal_error(fmt::format("cannot make a pipe: {}", std::strerror(error)));
  }
  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, err[1], STDERR_FILENO);
  if (!directory.empty()) posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  pid_t child = 0;
  const int error = posix_spawnp(&child, words[0], &actions, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  Printed printed;
  if (error == 0) {
    drain(out[0], err[0], printed);
    int status = 0;
    TEMP_FAILURE_RETRY(waitpid(child, &status, 0));
    printed.exit_code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }
  close(out[0]);
  close(err[0]);
  if (error != 0)
    return engine::internal_error(
        fmt::format("cannot start '{}': {}", command[0], std::strerror(error)));
  return printed;
}

}  // namespace snag::gen
