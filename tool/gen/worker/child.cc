#include "tool/gen/worker/child.h"

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <sstream>

#include "tool/base/process.h"
#include "tool/base/subprocess.h"

namespace snag::gen {
namespace {

// A driver only lists its methods or one test, which takes milliseconds, unless the class itself
// waits for something before main.
constexpr std::chrono::seconds kTimeout{20};

// For exec: a file in this folder is not looked up in PATH.
std::string with_folder(const std::string& executable) {
  return executable.find('/') == std::string::npos ? "./" + executable : executable;
}

std::vector<std::string> command_line(const std::string& executable,
                                      const std::vector<std::string>& arguments) {
  std::vector<std::string> words = {with_folder(executable)};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

int number(const std::string& text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

Expected<pid_t> start_driver(const std::string& executable,
                             const std::vector<std::string>& arguments) {
  ProcessStart start;
  start.path = with_folder(executable);
  start.argv = command_line(executable, arguments);
  start.input = start.output = start.error = kNullDevice;
  start.is_users_program = false;
  return start_process(start);
}

Expected<std::string> output_of(const std::string& executable,
                                const std::vector<std::string>& arguments,
                                const std::function<bool()>& should_stop) {
  const auto begin = std::chrono::steady_clock::now();
  bool is_late = false;
  const auto printed = run_command(command_line(executable, arguments), "", [&] {
    is_late = std::chrono::steady_clock::now() - begin > kTimeout || should_stop();
    return is_late;
  });
  const std::string command =
      fmt::format("{} {}", executable, arguments.empty() ? "" : arguments[0]);
  if (is_late) {
    return nothing_ran(
        fmt::format("'{}' did not end within {} seconds: does the class wait for "
                    "something before main?",
                    command, kTimeout.count()));
  }
  if (!printed)
    return nothing_ran(fmt::format("{}: is it a driver of snag gen?", printed.error().message));
  if (printed->exit_code != 0) {
    return nothing_ran(fmt::format("'{}' {}: is it a driver of snag gen?", command,
                                   describe_status(printed->wait_status)));
  }
  return printed->out;
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
