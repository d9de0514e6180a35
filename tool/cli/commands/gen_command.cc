// Implements command.h: snag gen: concurrent tests for a class, from its header.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>

#include "tool/cli/commands/command.h"
#include "tool/cli/commands/run_gen_session.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/cli/options/gen_target_args.h"
#include "tool/cli/options/interrupt.h"
#include "tool/cli/options/option_table.h"
#include "tool/gen/build/driver_build.h"
#include "tool/gen/build/driver_folder.h"
#include "tool/gen/session/result_files.h"
#include "tool/gen/worker/child.h"

namespace snag::cli {
namespace {

using cli::GenTargetArgs;

Expected<gen::DriverFolder> make_folder(const GenTargetArgs& input, const std::string& out) {
  if (!input.options.folder.empty()) return gen::DriverFolder::named(input.options.folder);
  auto folder = gen::DriverFolder::make(out);
  if (folder && input.keep) folder->keep();
  return folder;
}

int complain(const Error& error) {
  fmt::print(stderr, "snag gen: {}\n", error.message);
  return cli::exit_code_of(error);
}

int interrupted() {
  fmt::print(stderr, "snag gen: interrupted before the first test\n");
  return 128 + cli::interrupted_by();
}

const char* kind_name(gen::LeftOutKind kind) {
  switch (kind) {
    case gen::LeftOutKind::kMethod:
      return "method";
    case gen::LeftOutKind::kConstructor:
      return "constructor";
    case gen::LeftOutKind::kTwin:
      break;
  }
  return "twin";
}

nlohmann::json as_json(const gen::Driver& driver) {
  const auto calls = [](const std::vector<gen::DriverCall>& from) {
    nlohmann::json list = nlohmann::json::array();
    for (const gen::DriverCall& call : from)
      list.push_back({{"name", call.name}, {"text", call.text}});
    return list;
  };
  nlohmann::json left_out = nlohmann::json::array();
  for (const gen::LeftOutCall& left : driver.left_out)
    left_out.push_back(
        {{"name", left.name}, {"reason", left.reason}, {"kind", kind_name(left.kind)}});
  return {{"class", driver.model.class_name},
          {"constructors", calls(driver.constructors)},
          {"methods", calls(driver.methods)},
          {"left_out", left_out}};
}

using LeftOutKind = gen::LeftOutKind;

std::size_t count_left_out(const gen::Driver& driver, LeftOutKind kind) {
  std::size_t count = 0;
  for (const gen::LeftOutCall& left : driver.left_out) count += left.kind == kind;
  return count;
}

// Templates with a plain method of the same name, which is called, share one line.
void print_left_out(std::FILE* file, const gen::Driver& driver, bool with_constructors) {
  std::string twins;
  for (const gen::LeftOutCall& left : driver.left_out) {
    if (left.kind == LeftOutKind::kConstructor && !with_constructors) continue;
    if (left.kind == LeftOutKind::kTwin) {
      twins += (twins.empty() ? "" : ", ") + left.name;
    } else {
      fmt::print(file, "  without {}: {}\n", left.name, left.reason);
    }
  }
  if (!twins.empty())
    fmt::print(file,
               "  without templates that fit no type, next to plain methods of the same name: {}\n",
               twins);
}

void print_list(const gen::Driver& driver) {
  fmt::print("{}, {}:{}\n", driver.model.class_name, driver.model.file, driver.model.line);
  fmt::print("made by\n");
  for (const gen::DriverCall& call : driver.constructors) fmt::print("  {}\n", call.name);
  fmt::print("{} methods can be called\n", driver.methods.size());
  for (const gen::DriverCall& call : driver.methods)
    fmt::print("  {:<40} {}\n", call.name, call.text);
  print_left_out(stdout, driver, true);
}

// Notes for the user before the tests begin.
void print_summary(const gen::Driver& driver) {
  const std::size_t methods = driver.methods.size();
  fmt::print(stderr, "snag gen: {} of {} methods of {} can be called\n", methods,
             methods + count_left_out(driver, LeftOutKind::kMethod), driver.model.class_name);
  print_left_out(stderr, driver, false);
}

}  // namespace

int gen_command(int argc, char** argv) {
  cli::OptionParser parser(
      "Find calls of a class's methods that go wrong when threads make them at the same time:\n"
      "  snag gen --class 'ns::Queue<int>' --header queue.h [options] -- compiler flags\n"
      "  snag gen --class 'ns::Queue<int>' -p build queue_test.cc [options] -- more flags",
      "snag gen");
  GenTargetArgs input;
  cli::GenSessionArgs settings;
  cli::SplitLine line;
  parser.add(cli::gen_target_options(), input);
  parser.add(cli::gen_session_options(), settings);
  if (const auto code = parser.parse(argc, argv, cli::Words::kBetweenOptions, line)) return *code;
  if (auto completed = complete(input, line); !completed) return complain(completed.error());
  // From here on there are folders and processes to clean up.
  cli::catch_interrupts();
  input.options.should_stop = [] { return cli::interrupted_by() != 0; };
  std::optional<gen::ResultFolder> results;
  if (!input.list || input.options.folder.empty()) {
    auto made = gen::ResultFolder::make(settings.out);
    if (!made) return complain(made.error());
    results.emplace(std::move(*made));
  }
  auto folder = make_folder(input, settings.out);
  if (!folder) return complain(folder.error());
  input.options.folder = folder->path();
  auto driver = gen::build_driver(input.options);
  if (input.options.should_stop()) return interrupted();
  if (!driver) return complain(driver.error());
  if (input.list) {
    if (!settings.format->is_text()) {
      fmt::print("{}\n", as_json(*driver).dump(2));
    } else {
      print_list(*driver);
    }
    if (folder->is_kept()) fmt::print(stderr, "snag gen: the driver is {}\n", driver->executable);
    return kExitClean;
  }
  if (!settings.quiet) print_summary(*driver);
  auto info = gen::ask_driver(driver->executable, input.options.should_stop);
  if (input.options.should_stop()) return interrupted();
  if (!info) return complain(info.error());
  info->headers = driver->headers;
  info->flags = driver->flags;
  info->directory = driver->directory;
  // Immediately: the traces need it even if the session is killed.
  const int code = cli::run_gen_session(settings, std::move(*info), [&] { folder->keep(); });
  if (folder->is_kept() && !settings.quiet)
    fmt::print(stderr, "snag gen: the driver is {}\n", driver->executable);
  return code;
}

}  // namespace snag::cli
