// Implements command.h: snag export: turns a failure into a regression test that can be checked in.

#include <fmt/format.h>

#include <cctype>
#include <filesystem>

#include "tool/base/whole_file.h"
#include "tool/binary/symbolizer.h"
#include "tool/cli/commands/command.h"
#include "tool/cli/commands/export_text.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/option_table.h"
#include "tool/trace/trace.h"

namespace snag::cli {
namespace {

namespace fs = std::filesystem;

struct ExportSettings {
  std::string folder = ".";
  std::string name;
};

Expected<void> set_name(ExportSettings& settings, const std::string& text) {
  if (!cli::is_identifier(text))
    return usage_error(fmt::format("needs a name of letters, digits and _, not '{}'", text));
  settings.name = text;
  return {};
}

constexpr cli::OptionRow<ExportSettings> kExportRows[] = {
    {"-o,--out", "DIR", "folder for the test and its trace; default the current one",
     cli::set_text<&ExportSettings::folder>},
    {"--name", "NAME", "name of the test; default that of the trace", set_name},
};

Expected<void> write_file(const fs::path& path, const std::string& text) {
  const auto written = write_whole_file(path.string(), text);
  if (written) return {};
  return usage_error(fmt::format("{}; choose another folder with -o", written.error().message));
}

// Relative to the test's folder, with a slash in it: a name without one would be searched in PATH.
std::string relative_to(const fs::path& path, const fs::path& folder) {
  std::error_code error;
  const fs::path relative =
      fs::relative(fs::absolute(path), fs::absolute(folder).lexically_normal(), error);
  if (error || relative.empty()) return path.string();
  return relative.has_parent_path() ? relative.string() : "./" + relative.string();
}

Expected<void> export_trace(const std::string& trace_path, const ExportSettings& settings) {
  auto trace = trace::read_trace(trace_path);
  if (!trace) return tl::unexpected(trace.error());
  const fs::path folder = settings.folder;
  std::error_code error;
  fs::create_directories(folder, error);
  cli::ExportedTest test;
  test.name =
      settings.name.empty() ? cli::identifier(fs::path(trace_path).stem().string()) : settings.name;
  const fs::path test_file = folder / (test.name + "_test.cc");
  const fs::path trace_file = folder / (test.name + ".snag");
  const fs::path input_file = folder / (test.name + ".stdin");
  for (const fs::path& path : {test_file, trace_file, input_file}) {
    if (fs::exists(path, error))
      return usage_error(fmt::format(
          "'{}' is there already: remove it, or choose another name with --name", path.string()));
  }
  if (!trace->program.stdin_path.empty()) {
    if (!fs::copy_file(trace->program.stdin_path, input_file, error))
      return usage_error(fmt::format("cannot copy the program's standard input '{}': {}",
                                     trace->program.stdin_path, error.message()));
    test.has_stdin = true;
    trace->program.stdin_path = test.name + ".stdin";
  }
  trace->program.path = relative_to(trace->program.path, folder);
  test.program = trace->program.path;
  // A file that is checked in must not contain anything about this machine.
  if (trace->program.argv.front().starts_with('/')) trace->program.argv.front() = test.program;
  test.failure = trace->failure;
  if (auto written = write_file(trace_file, trace::format_trace(*trace)); !written) return written;
  if (auto written = write_file(test_file, cli::test_text(test)); !written) return written;
  fmt::print("{}\n{}\n", test_file.string(), trace_file.string());
  if (test.has_stdin) fmt::print("{}\n", input_file.string());
  return {};
}

}  // namespace

int export_command(int argc, char** argv) {
  cli::OptionParser app(
      "Write a GoogleTest file that fails as long as the failure of a trace comes back:\n"
      "  snag export [options] FILE\n",
      "snag export");
  ExportSettings settings;
  cli::SplitLine line;
  const std::span<const cli::OptionRow<ExportSettings>> rows = kExportRows;
  if (const auto code =
          cli::parse_options(app, rows, argc, argv, cli::Words::kBetweenOptions, settings, line)) {
    return *code;
  }
  if (line.words.size() != 1 || !line.tail.empty()) {
    fmt::print(stderr, "snag export: {}: snag export [options] FILE\n",
               line.words.empty() ? "no trace was given" : "one trace at a time");
    return kExitUsage;
  }
  const auto done = export_trace(line.words.front(), settings);
  if (done) return kExitClean;
  fmt::print(stderr, "snag export: {}\n", done.error().message);
  return cli::exit_code_of(done.error());
}

}  // namespace snag::cli
