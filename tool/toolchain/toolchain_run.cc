#include "tool/toolchain/toolchain_run.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <system_error>

extern char** environ;

namespace snag::toolchain {
namespace {

using Words = std::vector<std::string>;

std::vector<char*> pointers(const Words& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string cannot_start(const std::string& program, int error) {
  return fmt::format("cannot start the compiler {}: {}.", program, std::strerror(error));
}

int exit_code(int status) {
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void show(const Words& command) {
  std::string line = "snag:";
  for (const std::string& word : command) line += ' ' + quote_argument(word);
  std::fprintf(stderr, "%s\n", line.c_str());
}

// What the compiler predefines, or nothing when it cannot be asked.
std::optional<std::string> predefined_macros(Words command) {
  for (const char* word : {"-dM", "-E", "-x", "c", "/dev/null"}) command.emplace_back(word);
  std::string line;
  for (const std::string& word : command) line += quote_argument(word) + ' ';
  std::FILE* output = popen((line + "2>/dev/null").c_str(), "re");
  if (output == nullptr) return std::nullopt;
  std::string text;
  char buffer[4096];
  while (std::size_t size = std::fread(buffer, 1, sizeof buffer, output)) text.append(buffer, size);
  if (pclose(output) != 0) return std::nullopt;
  return text;
}

// Blocks the signals that ask us to end while commands run, so that temporary files are always
// removed.
class SignalGuard {
 public:
  SignalGuard() {
    // If it was inherited as ignored, waiting for children would fail.
    ::signal(SIGCHLD, SIG_DFL);
    sigemptyset(&waited_);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCHLD}) sigaddset(&waited_, signal);
    sigprocmask(SIG_BLOCK, &waited_, &before_);
  }
  ~SignalGuard() { sigprocmask(SIG_SETMASK, &before_, nullptr); }
  SignalGuard(const SignalGuard&) = delete;
  SignalGuard& operator=(const SignalGuard&) = delete;

  const sigset_t& before() const { return before_; }
  int received() const { return received_; }  // 0: none

  // Waits for the child's end, and forwards signals to it.
  int wait(pid_t child) {
    while (true) {
      int status = 0;
      pid_t ended = waitpid(child, &status, WNOHANG);
      if (ended == child) return status;
      if (ended < 0) throw std::system_error(errno, std::generic_category(), "waitpid");
      int signal = sigwaitinfo(&waited_, nullptr);
      if (signal <= 0 || signal == SIGCHLD) continue;
      received_ = signal;
      kill(child, signal);
    }
  }

 private:
  sigset_t waited_;
  sigset_t before_;
  int received_ = 0;
};

tl::expected<int, std::string> run_child(const Words& command, SignalGuard& signals) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setsigmask(&attributes, &signals.before());
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t child = 0;
  int error = posix_spawnp(&child, command[0].c_str(), nullptr, &attributes,
                           pointers(command).data(), environ);
  posix_spawnattr_destroy(&attributes);
  if (error != 0) return tl::make_unexpected(cannot_start(command[0], error));
  return exit_code(signals.wait(child));
}

// Removes the directory at the end of the scope.
class Scratch {
 public:
  explicit Scratch(const std::string& path) : path_(path) {
    std::filesystem::create_directory(path_);
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  ~Scratch() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

 private:
  std::string path_;
};

// Linux accepts 2 MB of arguments and environment together; a response file may contain more.
constexpr std::size_t kMaxCommandLength = 512 * 1024;

std::size_t length(const Words& command) {
  std::size_t sum = 0;
  for (const std::string& word : command) sum += word.size() + 1;
  return sum;
}

// Moves the arguments into a response file if there are too many for a command line.
Words shorten(const Words& command, std::size_t compiler_words, const std::string& scratch,
              int number) {
  if (length(command) <= kMaxCommandLength) return command;
  std::string path = fmt::format("{}/{}.args", scratch, number);
  std::ofstream file(path);
  for (std::size_t i = compiler_words; i < command.size(); ++i)
    file << quote_argument(command[i]) << '\n';
  Words result(command.begin(), command.begin() + static_cast<std::ptrdiff_t>(compiler_words));
  result.push_back("@" + path);
  return result;
}

bool verbose() {
  const char* value = std::getenv("SNAG_VERBOSE");
  return value != nullptr && *value != '\0' && std::strcmp(value, "0") != 0;
}

}  // namespace

tl::expected<Compiler, std::string> find_compiler(const char* variable,
                                                  const std::string& fallback) {
  const char* value = std::getenv(variable);
  Compiler compiler;
  if (value != nullptr) compiler.command = split_response_file(value);
  if (compiler.command.empty()) compiler.command = {fallback};
  if (auto kind = kind_from_name(compiler.command)) {
    compiler.kind = *kind;
    return compiler;
  }
  auto macros = predefined_macros(compiler.command);
  if (!macros) {
    return tl::make_unexpected(
        fmt::format("{} does not work as a compiler (set {} to one that does).",
                    fmt::join(compiler.command, " "), variable));
  }
  bool clang = macros->find("#define __clang__ ") != std::string::npos;
  compiler.kind = clang ? CompilerKind::kClang : CompilerKind::kGcc;
  return compiler;
}

std::string scratch_name() {
  unsigned long long number = 0;
  if (getrandom(&number, sizeof number, 0) != sizeof number)
    number = static_cast<unsigned long long>(getpid());
  return fmt::format("{}/snag-{:016x}", std::filesystem::temp_directory_path().string(), number);
}

tl::expected<int, std::string> execute(const BuildPlan& plan, const std::string& scratch) {
  bool single = plan.commands.size() == 1 && !plan.uses_scratch;
  if (single && length(plan.commands[0]) <= kMaxCommandLength) {
    const Words& command = plan.commands[0];
    if (verbose()) show(command);
    execvp(command[0].c_str(), pointers(command).data());
    return tl::make_unexpected(cannot_start(command[0], errno));
  }

  tl::expected<int, std::string> result = 0;
  int signal = 0;
  {
    SignalGuard signals;
    Scratch directory(scratch);
    int number = 0;
    for (const Words& whole : plan.commands) {
      Words command = shorten(whole, plan.compiler_words, scratch, number++);
      if (verbose()) show(command);
      result = run_child(command, signals);
      signal = signals.received();
      if (!result || *result != 0 || signal != 0) break;
    }
  }
  if (signal != 0) {
    ::signal(signal, SIG_DFL);
    raise(signal);
  }
  return result;
}

}  // namespace snag::toolchain
