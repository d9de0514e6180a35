// Implements command.h: snag flags: prints what the wrappers add, for build systems that call the
// compiler themselves.

#include <CLI/CLI.hpp>
#include <cstdio>

#include "tool/cli/commands/command.h"
#include "tool/cli/options/exit_codes.h"
#include "tool/toolchain/group_plugin.h"
#include "tool/toolchain/resources.h"
#include "tool/toolchain/toolchain.h"

namespace snag::cli {

int flags_command(int argc, char** argv) {
  CLI::App app(
      "Print the flags that make a program controllable by snag, to be used as\n"
      "  g++ $(snag flags --compile) -c foo.cc && g++ foo.o $(snag flags --link)",
      "snag flags");
  bool compile = false, link = false, shared = false, clang = false;
  auto* compile_option = app.add_flag("--compile", compile, "for compiling (the default)");
  auto* link_option = app.add_flag("--link", link, "for linking an executable");
  auto* shared_option = app.add_flag("--shared", shared, "for linking a shared library");
  link_option->excludes(compile_option);
  shared_option->excludes(compile_option)->excludes(link_option);
  app.add_flag("--clang", clang, "for clang instead of gcc");
  std::string compiler;
  app.add_option("--compiler", compiler,
                 "for this compiler: with the plugin for it, if there is one; so only for it");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kExitClean : kExitUsage;
  }

  toolchain::CompilerKind kind =
      clang ? toolchain::CompilerKind::kClang : toolchain::CompilerKind::kGcc;
  if (!clang && !compiler.empty()) kind = toolchain::kind_from_name({compiler}).value_or(kind);
  toolchain::Resources resources = toolchain::find_resources();
  auto flags = shared ? toolchain::shared_link_flags(kind)
               : link ? toolchain::link_flags(resources)
                      : toolchain::compile_flags(kind, resources);
  if (!shared && !link && !compiler.empty()) {
    for (std::string& flag : toolchain::group_plugin_flags({{compiler}, kind}, resources))
      flags.push_back(std::move(flag));
  }
  const char* separator = "";
  for (const std::string& flag : flags) {
    std::printf("%s%s", separator, toolchain::quote_argument(flag).c_str());
    separator = " ";
  }
  std::puts("");
  return kExitClean;
}

}  // namespace snag::cli
