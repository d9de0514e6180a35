// Implements command.h: snag gen-driver: the session of `snag gen` on a driver that exists already.
// For drivers that were written by hand.

#include <fmt/format.h>

#include "tool/cli/commands/command.h"
#include "tool/cli/commands/run_gen_session.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/program_line.h"
#include "tool/gen/worker/child.h"

namespace snag::cli {

int gen_driver_command(int argc, char** argv) {
  cli::OptionParser app(
      "Generate and run concurrent tests with a driver that exists already:\n"
      "  snag gen-driver [options] driver\n",
      "snag gen-driver");
  cli::GenSessionArgs settings;
  cli::SplitLine line;
  if (const auto code = cli::parse_options(app, cli::gen_session_options(), argc, argv,
                                           cli::Words::kBetweenOptions, settings, line)) {
    return *code;
  }
  const auto fail = [](const Error& error) {
    fmt::print(stderr, "snag gen-driver: {}\n", error.message);
    return cli::exit_code_of(error);
  };
  if (line.words.size() > 1 || !line.tail.empty())
    return fail({ErrorKind::kUsage, "give one driver: snag gen-driver [options] driver"});
  auto program = cli::named_program(line.words, "", "snag gen-driver [options] driver");
  if (!program) return fail(program.error());
  cli::catch_interrupts();
  const auto should_stop = [] { return cli::interrupted_by() != 0; };
  auto driver = gen::ask_driver(program->program.path, should_stop);
  if (should_stop()) return 128 + cli::interrupted_by();
  if (!driver) return fail(driver.error());
  return cli::run_gen_session(settings, std::move(*driver));
}

}  // namespace snag::cli
