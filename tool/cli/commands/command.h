// The subcommands of snag. To add one, write <name>_command.cc, declare its function here, and add
// it to kCommands in main.cc.
#pragma once

namespace snag::cli {

// argv[0] is the name of the subcommand; the result is an ExitCode.
using CommandFunction = int (*)(int argc, char** argv);

struct Subcommand {
  const char* name;
  const char* help;  // one line
  CommandFunction run;
};

int cxx_command(int argc, char** argv);
int cc_command(int argc, char** argv);
int flags_command(int argc, char** argv);
int run_command(int argc, char** argv);
int replay_command(int argc, char** argv);
int export_command(int argc, char** argv);
int shrink_command(int argc, char** argv);
int active_command(int argc, char** argv);
int cover_command(int argc, char** argv);
int gen_command(int argc, char** argv);
int gen_driver_command(int argc, char** argv);
int reference_command(int argc, char** argv);
// Of snag cover.
int cover_report_command(int argc, char** argv);
int cover_merge_command(int argc, char** argv);
int cover_diff_command(int argc, char** argv);
int cover_curve_command(int argc, char** argv);
int cover_prune_command(int argc, char** argv);
int cover_why_command(int argc, char** argv);

}  // namespace snag::cli
