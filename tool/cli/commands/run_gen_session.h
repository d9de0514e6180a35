// The options of `snag gen` about the session, and the session with its reports: from a compiled
// driver to the exit code.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "tool/cli/options/option_table.h"
#include "tool/gen/session/session_options.h"
#include "tool/report/formats/format.h"

namespace snag::cli {

struct GenSessionArgs {
  gen::GenSessionOptions session;
  ChosenSettings run{.values = gen::GenSessionOptions().run};
  std::uint64_t tests = 0;
  std::uint64_t threads = 2;
  std::uint64_t schedules_per_test = 40;
  double time = 0;  // 0: the default
  double shrink_time = 15;
  bool keep_going = false;
  const report::Format* format = &report::kFormats[0];
  bool quiet = false;
  bool coverage = false;
  std::string coverage_csv;
  std::string out = "snag-gen";
  std::vector<std::string> headers;  // for the test that is written
};

std::span<const OptionRow<GenSessionArgs>> gen_session_options();

// Runs the session on the driver and prints the result; prints each violation when it is found.
int run_gen_session(
    GenSessionArgs& settings, gen::DriverInfo driver, const std::function<void()>& found = [] {});

}  // namespace snag::cli
