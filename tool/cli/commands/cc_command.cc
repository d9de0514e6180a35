// Implements command.h: snag c++, snag cc: the compiler, with Snag's instrumentation when compiling
// and its runtime when linking. Everything is passed on to the compiler, even --help: this command
// has no options of its own.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

#include "tool/cli/commands/command.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/toolchain/group_plugin.h"
#include "tool/toolchain/resources.h"
#include "tool/toolchain/toolchain.h"
#include "tool/toolchain/toolchain_run.h"

namespace snag::cli {
namespace {

std::optional<std::string> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

int refuse(const char* wrapper, const std::string& sentence) {
  std::fprintf(stderr, "%s: %s\n", wrapper, sentence.c_str());
  return kExitUsage;
}

int wrap(const char* wrapper, const char* variable, const char* fallback, int argc, char** argv) {
  // Set for everything that the wrapper starts: if it comes back here, the compiler was snag
  // itself.
  if (std::getenv("SNAG_WRAPPING")) {
    return refuse(wrapper,
                  std::string(variable) + " names snag itself: it is to name the real compiler");
  }
  setenv("SNAG_WRAPPING", "1", 1);
  auto compiler = toolchain::find_compiler(variable, fallback);
  if (!compiler) return refuse(wrapper, compiler.error());

  toolchain::Resources resources = toolchain::find_resources();
  compiler->plugin_flags = toolchain::group_plugin_flags(*compiler, resources);
  std::string scratch = toolchain::scratch_name();
  auto args = toolchain::expand_response_files({argv + 1, argv + argc}, read_file);
  auto plan = toolchain::plan_build(*compiler, args, resources, scratch);
  if (!plan) return refuse(wrapper, plan.error());
  if (plan->links_runtime && access(resources.runtime().c_str(), R_OK) != 0) {
    return refuse(wrapper, "the runtime " + resources.runtime() +
                               " is missing: the installation is not complete.");
  }

  auto code = toolchain::execute(*plan, scratch);
  return code ? *code : refuse(wrapper, code.error());
}

}  // namespace

int cxx_command(int argc, char** argv) { return wrap("snag c++", "SNAG_CXX", "g++", argc, argv); }

int cc_command(int argc, char** argv) { return wrap("snag cc", "SNAG_CC", "gcc", argc, argv); }

}  // namespace snag::cli
