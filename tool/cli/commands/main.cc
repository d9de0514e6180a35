// snag: dispatches to the subcommands.

#include <fcntl.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "tool/base/text.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/options/exit_codes.h"

namespace snag::cli {
namespace {

constexpr Subcommand kCommands[] = {
    {"run", "run a program under many thread schedules until one fails", run_command},
    {"active", "predict what could go wrong, and make it happen", active_command},
    {"replay", "show a failure again", replay_command},
    {"export", "write a test that fails as long as a failure comes back", export_command},
    {"shrink", "look for a simpler schedule of a failure", shrink_command},
    {"cover", "measure how much of a program's interleavings is covered", cover_command},
    {"gen", "find calls of a class that go wrong at the same time", gen_command},
    {"c++", "compile or link C++ so that snag can control the program", cxx_command},
    {"cc", "the same for C", cc_command},
    {"flags", "print the compiler flags that c++ and cc add", flags_command},
};

// Installed as links to snag, for build systems that want the compiler to be one executable.
constexpr Subcommand kAliases[] = {
    {"snag-c++", "", cxx_command},
    {"snag-cc", "", cc_command},
};

// Hidden: not in the list of commands.
constexpr Subcommand kHidden[] = {
    {"gen-driver", "", gen_driver_command},
    {"reference", "", reference_command},
};

template <typename Table>
const Subcommand* find(const Table& table, std::string_view name) {
  for (const Subcommand& command : table) {
    if (name == command.name) return &command;
  }
  return nullptr;
}

void print_help() {
  std::puts(
      "snag finds concurrency bugs in C and C++ programs by running them under controlled "
      "interleavings.\n");
  std::puts("Usage: snag <command> [arguments]\n\nCommands:");
  for (const Subcommand& command : kCommands)
    std::printf("  %-8s %s\n", command.name, command.help);
  std::puts("\nsnag <command> --help explains a command. snag --version prints the version.");
}

int dispatch(int argc, char** argv) {
  std::string_view program = argc > 0 ? argv[0] : "snag";
  program = base_name(program);
  if (const Subcommand* alias = find(kAliases, program)) return alias->run(argc, argv);

  if (argc < 2) {
    print_help();
    return kExitUsage;
  }
  std::string_view name = argv[1];
  if (name == "--help" || name == "-h" || name == "help") {
    print_help();
    return kExitClean;
  }
  if (name == "--version") {
    std::puts("snag " SNAG_VERSION);
    return kExitClean;
  }
  if (const Subcommand* command = find(kCommands, name)) return command->run(argc - 1, argv + 1);
  if (const Subcommand* command = find(kHidden, name)) return command->run(argc - 1, argv + 1);
  std::fprintf(stderr, "snag: there is no command \"%s\"; snag --help lists them.\n", argv[1]);
  return kExitUsage;
}

}  // namespace
}  // namespace snag::cli

namespace {

// A daemon may have closed these: the next file opened must not become standard output.
void keep_standard_descriptors_open() {
  for (int descriptor = 0; descriptor <= 2; ++descriptor) {
    if (fcntl(descriptor, F_GETFD) < 0) open("/dev/null", descriptor == 0 ? O_RDONLY : O_WRONLY);
  }
}

// A file that exceeds the limit (ulimit -f) is an ordinary error. The signal is caught rather than
// ignored, so that programs that are started get the default action.
void survive_file_limit() {
  std::signal(SIGXFSZ, [](int) {});
}

}  // namespace

int main(int argc, char** argv) {
  keep_standard_descriptors_open();
  survive_file_limit();
  try {
    const int code = snag::cli::dispatch(argc, argv);
    if (std::fflush(stdout) == 0) return code;
    std::perror("snag: the result could not be written to standard output");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "snag: internal error: %s\n", error.what());
  } catch (...) {
    std::fprintf(stderr, "snag: internal error: an exception of unknown type\n");
  }
  return snag::cli::kExitInternalError;
}
