#include "tool/gen/worker/child.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <sstream>

#include "tool/base/process.h"

namespace snag::gen {
namespace {

constexpr std::chrono::seconds kPatience{20};
// Between two looks at whether to stop.
constexpr int kPollMilliseconds = 50;

Expected<pid_t> start(const std::string& executable, const std::vector<std::string>& arguments,
                      int output) {
  std::vector<std::string> words = {executable};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child < 0)
    return internal_error(
        fmt::format("the system refuses to create a process: {}", strerror(errno)));
  if (child > 0) {
    setpgid(child, child);  // whoever of the two is first
    return child;
  }
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);
  unsetenv("SNAG_CONTROL");
  unsetenv("SNAG_REPLAY");
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, 0);
  dup2(output >= 0 ? output : null, 1);
  dup2(null, 2);
  execv(executable.c_str(), argv.data());
  _exit(127);
}

int number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Expected<pid_t> start_driver(const std::string& executable,
                             const std::vector<std::string>& arguments) {
  return start(executable, arguments, -1);
}

Expected<std::string> output_of(const std::string& executable,
                                const std::vector<std::string>& arguments,
                                const std::function<bool()>& should_stop) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return internal_error("no pipe: too many open files");
  const auto child = start(executable, arguments, ends[1]);
  close(ends[1]);
  std::string text;
  char buffer[4096];
  bool is_late = false;
  if (child) {
    const auto begin = std::chrono::steady_clock::now();
    struct pollfd end = {ends[0], POLLIN, 0};
    for (ssize_t got = 1; got != 0;) {
      if (std::chrono::steady_clock::now() - begin > kPatience || should_stop()) {
        is_late = true;
        kill(-*child, SIGKILL);
        break;
      }
      if (poll(&end, 1, kPollMilliseconds) <= 0) continue;
      got = read(ends[0], buffer, sizeof buffer);
      if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
      if (got < 0 && errno != EINTR) break;
    }
  }
  close(ends[0]);
  if (!child) return tl::unexpected(child.error());
  int status = 0;
  while (waitpid(*child, &status, 0) < 0 && errno == EINTR) {
  }
  if (is_late) {
    return nothing_ran(
        fmt::format("'{} {}' did not come to its end in {} seconds: does the class wait for "
                    "something before main?",
                    executable, arguments.empty() ? "" : arguments[0], kPatience.count()));
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    return nothing_ran(fmt::format("'{} {}' {}: is it a driver of snag gen?", executable,
                                   arguments.empty() ? "" : arguments[0], describe_status(status)));
  }
  return text;
}

Expected<DriverInfo> ask_driver(const std::string& executable,
                                const std::function<bool()>& should_stop) {
  auto text = output_of(executable, {"--list"}, should_stop);
  if (!text) return tl::unexpected(text.error());
  DriverInfo info;
  info.executable = executable;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    std::vector<std::string> fields;
    std::istringstream parts(line);
    for (std::string field; std::getline(parts, field, '\t');) fields.push_back(field);
    if (fields.size() == 2 && fields[0] == "class") info.class_name = fields[1];
    if (fields.size() != 5) continue;
    MethodInfo method{fields[3], fields[4], number(fields[1]),
                      static_cast<unsigned>(number(fields[2]))};
    (fields[0] == "constructor" ? info.constructors : info.methods).push_back(std::move(method));
  }
  if (info.constructors.empty() || info.methods.empty() || info.methods.size() > kMaxMethods)
    return nothing_ran(fmt::format(
        "'{}' lists no constructor or no method to call: is it a driver of snag gen?", executable));
  return info;
}

}  // namespace snag::gen
