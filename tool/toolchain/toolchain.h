// How a program is compiled and linked so that Snag can control it. The one place that knows the
// flags: the wrappers `snag c++` and `snag cc`, `snag flags`, the flags files and the CMake package
// all ask here.
//
// The compiler's own -fsanitize=thread inserts the hooks; Snag's runtime takes the place of
// libtsan. Therefore the flag is given when compiling and never when linking: g++ would add
// libtsan.so, clang its own runtime.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "tool/toolchain/compiler_args.h"
#include "tool/toolchain/resources.h"

namespace snag::toolchain {

enum class CompilerKind { kGcc, kClang };

struct Compiler {
  std::vector<std::string> command;  // perhaps with arguments: {"ccache", "clang++-19"}
  CompilerKind kind = CompilerKind::kGcc;
  std::vector<std::string> plugin_flags = {};  // see tool/toolchain/group_plugin.h
};

// Says which kind of compiler a command is, from the names in it. Nothing when the names do not
// tell (c++, cc).
std::optional<CompilerKind> kind_from_name(const std::vector<std::string>& command);

// Flags to put before the user's own, so that the user's win.
std::vector<std::string> compile_flags(CompilerKind kind, const Resources& resources);

// Flags to put after the user's own when linking an executable.
std::vector<std::string> link_flags(const Resources& resources);

// Flags to put after the user's own when linking a shared library: no runtime, which the library
// takes from the program that loads it.
std::vector<std::string> shared_link_flags(CompilerKind kind);

struct BuildPlan {
  // To be executed in order, until one fails.
  std::vector<std::vector<std::string>> commands;
  // The number of words at the beginning of each command that name the compiler.
  std::size_t compiler_words = 1;
  // The commands write into the scratch directory: make it before, remove it after.
  bool uses_scratch = false;
  bool links_runtime = false;
};

// Turns the arguments given to a wrapper (response files already expanded) into the commands to
// execute. Objects that only live between two commands go into the directory `scratch`. The error
// is one sentence for the user, who asked for something that cannot work.
tl::expected<BuildPlan, std::string> plan_build(const Compiler& compiler,
                                                const std::vector<std::string>& args,
                                                const Resources& resources,
                                                const std::string& scratch);

}  // namespace snag::toolchain
