// The compiler's plugin that groups the hooks (instrument/), if there is one for this compiler.
//
// A plugin fits one version of one compiler. Which version a command is, the names of its files
// say, as Debian and others have them (/usr/lib/llvm-19/bin/clang, x86_64-linux-gnu-g++-12): to ask
// the compiler would take longer than many a small file. Without a plugin everything works, only
// coverage of programs that run freely is measured more slowly.
#pragma once

#include <string>
#include <vector>

#include "tool/toolchain/resources.h"
#include "tool/toolchain/toolchain.h"

namespace snag::toolchain {

// The flag that loads it; none if it is not there, or if SNAG_PLUGIN is 0.
std::vector<std::string> group_plugin_flags(const Compiler& compiler, const Resources& resources);

// The major version in the path of a compiler; empty: it does not tell.
std::string version_from_path(CompilerKind kind, const std::string& path);

}  // namespace snag::toolchain
